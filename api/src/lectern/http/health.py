"""Health, readiness and metrics endpoints."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, SecretStr

from lectern.errors import LecternError, Unauthorized
from lectern.http.metrics import CONTENT_TYPE, Gauge, Metrics, may_read_metrics

logger = logging.getLogger(__name__)

Check = Callable[[], Awaitable[None]]
ReadSamples = Callable[[], Awaitable[list[Gauge]]]
CHECK_SECONDS = 5.0
_METRICS_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The metrics."}
}


class Health(BaseModel):
    """The process is alive."""

    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    """Result of the readiness checks."""

    status: Literal["ready", "not_ready"]
    checks: dict[str, Literal["ok", "failed"]]


async def _passes(name: str, check: Check) -> bool:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await check()
    except (LecternError, OSError) as error:  # TimeoutError is an OSError
        reason = error.log_message if isinstance(error, LecternError) else type(error).__name__
        logger.warning("Not ready: %s", name, extra={"check": name, "reason": reason})
        return False
    return True


async def run_checks(checks: Mapping[str, Check]) -> dict[str, Literal["ok", "failed"]]:
    """Run all checks concurrently. A check fails by raising LecternError or OSError."""
    passed = await asyncio.gather(*(_passes(name, check) for name, check in checks.items()))
    return {name: "ok" if is_passed else "failed" for name, is_passed in zip(checks, passed, strict=True)}


def _require_metrics(request: Request, token: SecretStr | None) -> None:
    client, wanted = request.client.host if request.client else None, token.get_secret_value() if token else None
    if not may_read_metrics(request.headers, client=client, token=wanted):
        raise Unauthorized(
            "Metrics are for this machine, or for programs with LECTERN_METRICS_TOKEN.",
            hint="Set LECTERN_METRICS_TOKEN and send it as `Authorization: Bearer`.",
        )


def health_router(
    *, checks: Mapping[str, Check], metrics: Metrics, read_samples: ReadSamples, token: SecretStr | None = None
) -> APIRouter:
    """Build the router of `/health`, `/ready` and `/metrics`."""
    router = APIRouter(tags=["system"])

    @router.get("/health")
    async def get_health() -> Health:
        """Return 200 while the process is alive."""
        return Health()

    @router.get("/ready", responses={503: {"model": Readiness}})
    async def get_readiness(response: Response) -> Readiness:
        """Check the services that requests need."""
        results = await run_checks(checks)
        is_ready = all(result == "ok" for result in results.values())
        response.status_code = 200 if is_ready else 503
        return Readiness(status="ready" if is_ready else "not_ready", checks=results)

    @router.get("/metrics", response_class=Response, responses=_METRICS_RESPONSES)
    async def get_metrics(request: Request) -> Response:
        """Return metrics in the Prometheus text format, for this machine or with LECTERN_METRICS_TOKEN."""
        _require_metrics(request, token)
        return Response(metrics.render(await read_samples()), media_type=CONTENT_TYPE)

    return router
