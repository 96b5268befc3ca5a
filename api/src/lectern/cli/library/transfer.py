"""`lectern export` and `lectern import`: the documents of a tag, a collection or a name in one open file."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from lectern.cli.console import counted, format_size, results, show_json, show_step
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_installation
from lectern.cli.options import DataDir, Json
from lectern.cli.passphrase import Encrypt, PassphraseFile, ask_passphrase, choose_passphrase
from lectern.errors import InvalidRequest, LecternError
from lectern.library.transfer.exporting import ExportReport, export_documents
from lectern.library.transfer.importing import ImportReport, Library, import_documents


def export_(
    file: Annotated[Path, typer.Argument(help="The file to write. It must not exist.")],
    tag: Annotated[str | None, typer.Option(help="Export the documents with this tag.")] = None,
    collection: Annotated[str | None, typer.Option(help="Export the documents of this collection.")] = None,
    name: Annotated[str | None, typer.Option(help="Export the documents with this in their filename or title.")] = None,
    is_encrypted: Encrypt = False,
    passphrase_file: PassphraseFile = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Export documents with originals, tags, text, chunks and vectors to a zip of JSON and NumPy arrays."""
    if not (tag or collection or name):
        raise InvalidRequest(
            "Nothing to export.", hint="Give --tag, --collection or --name, or use `lectern backup` for everything."
        )

    passphrase = choose_passphrase(passphrase_file, is_encrypted=is_encrypted)

    async def work(bench: OpenInstallation) -> ExportReport:
        return await export_documents(
            file,
            database=bench.database,
            originals=bench.originals(),
            tag=tag,
            collection=collection,
            name=name,
            passphrase=passphrase,
            report_progress=show_step,
        )

    report = on_installation(work, data_dir=data_dir)
    if is_json:
        show_json(report)
        return
    counts = f"{counted(report.document_count, 'document')}, {counted(report.vector_count, 'vector')}"
    results.print(f"{report.path}: {counts}, {format_size(report.size_bytes)}.", markup=False)
    if report.missing:
        results.print(f"Left out because the original is missing: {counted(len(report.missing), 'document')}.")


def import_(
    file: Annotated[Path, typer.Argument(help="A file that `lectern export` made.", exists=True, dir_okay=False)],
    collection: Annotated[
        str | None, typer.Option(help="Put all documents into this collection instead of their own.")
    ] = None,
    passphrase_file: PassphraseFile = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Import an exported file. Existing documents get its tags and notes, and nothing is embedded twice."""

    async def work(bench: OpenInstallation) -> ImportReport:
        models = bench.models()
        try:
            library = Library(bench.database, models, bench.originals(), OPERATOR, bench.settings)
            return await import_documents(
                file,
                library,
                collection=collection,
                passphrase=ask_passphrase(passphrase_file),
                report_progress=show_step,
            )
        finally:
            await models.close()

    report = on_installation(work, data_dir=data_dir, may_create=True)
    refusal = report.refusal
    if is_json:
        refused = [{"filename": name, **_problem(error)} for name, error in report.refused]
        values = asdict(replace(report, refusal=None, refused=[]))
        show_json(values | {"refusal": _problem(refusal) if refusal else None, "refused": refused})
        return
    results.print(
        f"{counted(report.document_count, 'document')}: {report.added_count:,} new, {report.known_count:,} existing; "
        f"{counted(report.note_count, 'note')} and {counted(report.vector_count, 'vector')} imported.",
        markup=False,
    )
    for name, error in report.refused:
        results.print(f"{name} was not imported. {error.message} {error.hint or ''}", markup=False)
    if refusal:
        results.print(f"No vectors were used. {refusal.message} {refusal.hint or ''}", markup=False)
    if not report.has_vectors:
        results.print("The vectors come from another model. The worker makes new ones.")


def _problem(error: LecternError) -> dict[str, str | None]:
    return {"code": error.code, "message": error.message, "hint": error.hint}
