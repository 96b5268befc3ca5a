"""`lectern serve`: the API."""

from lectern.logs import configure_logging
from lectern.settings import load_settings

SHUTDOWN_SECONDS = 5  # event streams never end by themselves


def serve() -> None:
    """Run the API (LECTERN_HOST, LECTERN_PORT) against DATABASE_URL."""
    import uvicorn

    from lectern.app import create_app

    settings = load_settings()
    configure_logging(settings.logging)
    uvicorn.run(
        create_app(settings),
        host=settings.http.host,
        port=settings.http.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
