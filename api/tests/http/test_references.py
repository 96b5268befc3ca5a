"""Unknown names are errors with suggestions."""

import pytest

from lectern.http.references import UnknownReference, suggest_names, unknown_reference

NAMES = ["travel-and-expenses-policy.pdf", "AMAZON_2019_10K.pdf", "AMAZON_2017_10K.pdf", "aml-kyc-policy.pdf"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("travel-and-expense-policy.pdf", ["travel-and-expenses-policy.pdf"]),
        ("travel", ["travel-and-expenses-policy.pdf"]),
        ("Trvel policy", ["travel-and-expenses-policy.pdf"]),
        ("AMZN", ["AMAZON_2019_10K.pdf", "AMAZON_2017_10K.pdf"]),
        ("amazon 2017", ["AMAZON_2017_10K.pdf", "AMAZON_2019_10K.pdf"]),
        ("the 2017 report of amazon", []),
        ("2017", ["AMAZON_2017_10K.pdf"]),
        ("quarterly figures", []),
        ("../../etc/passwd", []),
        ("???", []),
    ],
)
def test_a_name_is_taken_for_those_like_it_as_a_whole_or_word_by_word(name: str, meant: list[str]) -> None:
    assert suggest_names(name, NAMES) == meant


def test_the_hint_without_names_fits_an_empty_library_and_a_narrow_scope() -> None:
    error = unknown_reference(UnknownReference, ["travel"], noun="tag", available=[])
    assert error.hint == "There are no tags yet, or none that you have access to."


def test_a_name_of_several_documents_is_listed_once() -> None:
    names = ["report.pdf", "plan.pdf", "report.pdf"]
    error = unknown_reference(UnknownReference, ["minutes of May"], noun="document", available=names)
    assert error.hint == "There are: 'report.pdf', 'plan.pdf'."
    assert suggest_names("report", names) == ["report.pdf"]


@pytest.mark.parametrize(
    ("name", "meant"), [("Notices", []), ("Bank polices", ["Bank policies"]), ("Mank policies", ["Bank policies"])]
)
def test_only_a_similar_name_is_suggested(name: str, meant: list[str]) -> None:
    assert suggest_names(name, ["Bank policies", "Library"]) == meant
