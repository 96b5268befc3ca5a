"""Data within a budget: the front is whole, what is left out is at the end."""

from lectern_mcp.tools.filling import cut_to_tokens, fill, has_cut_text, json_tokens

SENTENCES = "One sentence stands here. " * 40


def test_data_that_fits_is_unchanged() -> None:
    data = {"name": "a", "text": SENTENCES, "rows": [{"text": "b"}], "is_truncated": False}
    assert fill(data, 10_000) == (data, False)


def test_the_first_rows_stay_whole_and_the_last_is_cut_at_the_end_of_a_sentence() -> None:
    rows = [{"number": number, "text": SENTENCES, "is_truncated": False} for number in range(20)]
    shown, is_cut = fill({"rows": rows}, 1_000)
    assert is_cut
    assert 2 < len(shown["rows"]) < 20
    assert shown["rows"][:-1] == rows[: len(shown["rows"]) - 1]
    last = shown["rows"][-1]
    assert last["is_truncated"] is (last["text"] != SENTENCES)
    assert last["text"].rstrip().endswith(".")
    assert json_tokens(shown) <= 1_000


def test_what_comes_first_is_filled_first() -> None:
    shown, is_cut = fill({"answer": SENTENCES, "nearest": [{"text": SENTENCES}] * 5, "total": 5}, 400)
    assert is_cut
    assert shown["answer"] == SENTENCES
    assert shown["total"] == 5
    assert len(shown["nearest"]) < 5


def test_parts_of_a_text_join_without_a_gap() -> None:
    rest, parts = SENTENCES, list[str]()
    while rest:
        parts.append(cut_to_tokens(rest, 50))
        rest = rest[len(parts[-1]) :]
    assert "".join(parts) == SENTENCES


def test_a_cut_text_anywhere_is_noticed() -> None:
    assert has_cut_text({"pages": [{"is_truncated": False}, {"is_truncated": True}]})
    assert not has_cut_text({"pages": [{"is_truncated": False}], "is_truncated": False})
