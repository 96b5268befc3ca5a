"""Every defect that is planted is found and repaired, and a healthy installation has none."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.ingestion.library import SAMPLES

from lectern.operations.integrity import invariants
from lectern.operations.integrity.rules import CHECKS
from lectern.operations.integrity.service import examine

from .patient import Patient

NOBODY = "00000000-0000-4000-8000-00000000dead"
MENDED_AT_ONCE = {
    "orphan_rows": (
        f"""INSERT INTO pages (document_id, page_number, kind, text, char_start, char_count,
                              width_points, height_points, boxes)
            VALUES ('{NOBODY}', 1, 'text', 'left behind', 0, 11, 1, 1, '')""",
        f"INSERT INTO document_tags VALUES ('{NOBODY}', '{NOBODY}')",
    ),
    "unprotected_tables": ("ALTER TABLE chunks DISABLE ROW LEVEL SECURITY",),
    "unknown_embedding_tables": ("CREATE TABLE chunk_embeddings_77 (chunk_id uuid, embedding halfvec(3))",),
    "unknown_cached_embeddings": (
        """INSERT INTO embedding_cache (document_id, fingerprint, content_hash, embedding, is_imported)
           SELECT id, 'gone', '', '[1,2]', false FROM documents LIMIT 1""",
    ),
    "chunks_without_lexical_row": (
        "DELETE FROM chunk_lexical WHERE chunk_id IN (SELECT id FROM chunks ORDER BY id LIMIT 3)",
    ),
    "statistics_drift": (
        "UPDATE lexeme_stats SET chunk_count = chunk_count + 1 WHERE lexeme = 'bank'",
        f"INSERT INTO lexeme_stats VALUES ('ghost', 'en', 3, '{NOBODY}')",
    ),
    "document_counts_drift": (
        "UPDATE document_counts SET chunks = chunks + 1",
        f"INSERT INTO document_counts VALUES ('{NOBODY}', 1, 1, 0, 0, 0, 7, 7)",
    ),
    "a_finished_job_has_an_end": ("UPDATE jobs SET finished_at = NULL",),
    "a_ready_document_says_since_when": ("UPDATE documents SET ready_at = NULL",),
    "a_failed_document_says_why": ("UPDATE documents SET error_code = 'left_over'",),
    "embeddings_know_their_chunk_document": (
        "UPDATE chunk_embeddings_1 SET document_id = (SELECT max(id::text)::uuid FROM documents)",
    ),
}
COMPLETED_BY_A_WORKER = {
    "chunks_without_embedding": ("DELETE FROM chunk_embeddings_1 WHERE chunk_id IN (SELECT id FROM chunks LIMIT 2)",),
    "windows_of_a_chunk_are_numbered_without_gaps": ("UPDATE chunk_embeddings_1 SET window_number = 7",),
    "a_document_chunks_are_counted": ("UPDATE documents SET chunk_count = chunk_count + 1",),
    "a_document_pages_are_counted": ("DELETE FROM pages WHERE page_number = 1",),
}


async def test_a_healthy_installation_has_no_defect(patient: Patient) -> None:
    assert await patient.examine() == {}
    assert await patient.repair() == {}


@pytest.mark.parametrize("check", MENDED_AT_ONCE)
async def test_what_can_be_mended_at_once_is(patient: Patient, check: str) -> None:
    await patient.harm(*MENDED_AT_ONCE[check])

    found = await patient.examine()
    assert check in found
    assert found[check].count > 0
    assert found[check].state == "found"
    assert (await patient.repair())[check] == "repaired"
    assert await patient.examine() == {}


async def test_what_must_be_read_again_is_queued_and_then_whole(patient: Patient) -> None:
    for statements in COMPLETED_BY_A_WORKER.values():
        await patient.harm(*statements)
    found = await patient.examine()
    assert found.keys() >= COMPLETED_BY_A_WORKER.keys()

    states = await patient.repair()
    await patient.work_off()

    assert "queued" in states.values()
    assert "found" not in states.values()
    assert await patient.examine() == {}


async def test_jobs_that_nobody_would_do_are_done_and_a_lost_table_is_filled_again(patient: Patient) -> None:
    without_job, outside_queue, in_dead_hands = patient.documents
    await patient.harm("DROP TABLE chunk_embeddings_1")
    await patient.harm("UPDATE documents SET status = 'processing' WHERE id = %(id)s", id=without_job)
    await patient.library.reingest(outside_queue)
    await patient.harm("DELETE FROM queue.procrastinate_jobs")
    await patient.library.reingest(in_dead_hands)
    await patient.harm("UPDATE queue.procrastinate_jobs SET status = 'doing'")
    broken = {"missing_embedding_tables", "unfinished_documents_without_job", "jobs_outside_the_queue", "stuck_jobs"}
    assert (await patient.examine()).keys() >= broken

    states = await patient.repair()

    assert {name: states.get(name, "repaired") for name in broken} == dict.fromkeys(broken, "repaired")
    await patient.work_off()
    assert await patient.examine() == {}


async def test_an_original_that_is_gone_or_cut_short_is_named_and_comes_back_with_an_upload(patient: Patient) -> None:
    gone, cut = [await patient.library.document(each) for each in patient.documents[:2]]
    await patient.installed.originals.delete(gone.sha256)
    async with patient.installed.originals.as_file(cut.sha256) as path:
        path.write_bytes(path.read_bytes()[:10])

    defects = await patient.examine(is_repairing=True)

    assert list(defects) == ["missing_originals"]
    assert set(defects["missing_originals"].examples) == {gone.sha256, cut.sha256}
    assert defects["missing_originals"].state == "found"
    for document in (gone, cut):
        await patient.installed.originals.put(stream(SAMPLES / document.filename), max_bytes=1 << 30)
    assert await patient.examine() == {}


async def test_a_document_whose_file_is_lost_is_not_read_again(patient: Patient) -> None:
    document = await patient.library.document(patient.documents[0])
    await patient.installed.originals.delete(document.sha256)
    await patient.harm("UPDATE documents SET chunk_count = 0 WHERE id = %(id)s", id=document.id)

    states = await patient.repair()

    assert states == {
        "missing_originals": "found",
        "a_document_chunks_are_counted": "queued",
        "document_counts_drift": "repaired",  # harm is done behind the back of triggers
    }
    assert (await patient.library.document(document.id)).status == "ready"
    await patient.installed.originals.put(stream(SAMPLES / document.filename), max_bytes=1 << 30)
    await patient.repair()
    await patient.work_off()
    assert await patient.examine() == {}


async def test_a_file_that_nobody_names_goes_when_it_is_no_upload_any_more(patient: Patient) -> None:
    stored = await patient.installed.originals.put(
        stream(SAMPLES / "travel-and-expenses-policy.pdf"), max_bytes=1 << 30
    )
    hasty = replace(patient.installed, grace_seconds=0)

    assert await patient.examine() == {}  # it is too young to say
    found = await examine(hasty, is_repairing=False)
    repaired = await examine(hasty, is_repairing=True)

    assert [(defect.check, defect.examples) for defect in found] == [("unreferenced_originals", (stored.sha256,))]
    assert [defect.state for defect in repaired] == ["repaired"]
    assert not await patient.installed.originals.exists(stored.sha256)


def test_every_rule_of_the_library_has_its_check() -> None:
    names = [check.name for check in CHECKS]

    assert len(set(names)) == len(names)
    assert {f"Violated rule: {rule}." for rule in invariants.RULES} <= {check.why for check in CHECKS}


async def stream(path: Path) -> AsyncIterator[bytes]:
    yield await asyncio.to_thread(path.read_bytes)
