"""The command line: `lectern COMMAND`. One file for each command or group of commands."""

import sys

import typer

from lectern.cli import doctor, migrate, openapi, reference, serve, up, worker
from lectern.cli.edge import exit_code

app = typer.Typer(
    name="lectern",
    help="A knowledge base that AI agents can trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("up")(up.up)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("migrate")(migrate.migrate)
app.command("doctor")(doctor.doctor)
app.command("openapi")(openapi.openapi)
app.command("settings")(reference.settings)


def run() -> None:
    """The entry point of the program `lectern`."""
    sys.exit(exit_code(app))
