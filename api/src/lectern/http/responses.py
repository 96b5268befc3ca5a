"""Responses without validation."""

from pydantic import BaseModel
from starlette.responses import Response


def json_response(body: BaseModel) -> Response:
    """Serialize a valid model once. FastAPI would validate and serialize it again."""
    return Response(body.model_dump_json(), media_type="application/json")
