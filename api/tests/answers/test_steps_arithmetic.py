"""Expressions, arithmetic with units and periods, routes and plans."""

from decimal import Decimal

import pytest

from lectern.answers.questions import parse_question
from lectern.answers.steps.amounts import Amount
from lectern.answers.steps.arithmetic import CalculationRules, Calculator
from lectern.answers.steps.expression import parse_expression, references
from lectern.answers.steps.plan import UnusablePlan, read_plan
from lectern.answers.steps.refusals import CalculationRefused
from lectern.answers.steps.routing import calculation_rules, choose_route
from lectern.answers.trace import StepsChoice
from lectern.search.query.analysis import analyze_query

MILLION = Decimal(1_000_000)
THOUSAND = Decimal(1_000)


def money(number: str, *, year: str = "", scale: Decimal = MILLION, currency: str = "eur", cell: str = "c1") -> Amount:
    periods = frozenset({year} if year else set[str]())
    value = Decimal(number) * scale
    return Amount(value=value, dimension=f"money:{currency}", scale=scale, periods=periods, cells=(cell,))


CELLS = {
    "q1": [money("41.2", year="2023")],
    "q2": [money("47900", year="2024", scale=THOUSAND, cell="c2")],
    "q3": [money("10", year="2024", currency="usd", cell="c3")],
    "q4": [Amount(value=Decimal(5), dimension="percent", periods=frozenset({"2024"}), cells=("c4",))],
    "q5": [Amount(value=Decimal(4), cells=("c5",))],
    "q6": [money("1", cell="c6"), money("2", cell="c7"), money("6", cell="c8")],
    "q7": [Amount(value=Decimal(0), cells=("c9",))],
}
ACROSS = CalculationRules(is_across_periods=True)


def calculate(expression: str, rules: CalculationRules = ACROSS) -> str:
    return str(Calculator(CELLS, rules).calculate(parse_expression(expression)))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("percent_change(q1, q2)", "16.26 %"),
        ("(q2 - q1) / q1", "0.1626"),
        ("(q2 - q1) / q1 * 100", "16.2621"),
        ("q2 - q1", "6700 thousand EUR"),
        ("difference(q1, q2)", "-6700 thousand EUR"),
        ("-q1", "-41.2 million EUR"),
        ("q1 + q6", "refused ambiguous_cell"),
        ("sum(q6)", "9 million EUR"),
        ("average(q6)", "3 million EUR"),
        ("average(q1, q2)", "44550 thousand EUR"),
        ("max(q6)", "6 million EUR"),
        ("min(q1, q2)", "41200 thousand EUR"),
        ("ratio(q2, q1)", "1.1626"),
        ("percent_of(q1, q2)", "86.01 %"),
        ("q1 / q5", "10.3 million EUR"),
        ("q1 * q4", "2.06 million EUR"),
        ("compare(q1, q2)", "-6700 thousand EUR"),
        ("q1 - q3", "refused currency_mismatch"),
        ("q2 + q4", "refused percent_with_absolute"),
        ("q2 + q5", "refused unit_mismatch"),
        ("q1 * q2", "refused unit_mismatch"),
        ("q1 + q9", "refused missing_cell"),
        ("q1 / q7", "refused division_by_zero"),
        ("q5 * 17", "refused number_not_allowed"),
        ("percent_change(q2, q1)", "refused period_order"),
        ("q1 +", "refused unreadable_expression"),
        ("exec(q1)", "refused unreadable_expression"),
        ("q1.real", "refused unreadable_expression"),
        ("__import__('os')", "refused unreadable_expression"),
        ("ratio(q1)", "refused unreadable_expression"),
        ("(" * 40 + "q1" + ")" * 40, "refused unreadable_expression"),
        ("-" * 290 + "q1", "refused unreadable_expression"),
        ("q1 + " * 100 + "q1", "refused unreadable_expression"),
    ],
)
def test_expressions_are_calculated_or_refused_with_a_code(expression: str, expected: str) -> None:
    if not expected.startswith("refused "):
        assert calculate(expression) == expected
        return
    with pytest.raises(CalculationRefused) as refused:
        calculate(expression)
    assert (f"refused {refused.value.code}", bool(refused.value.detail)) == (expected, True)


def test_periods_differ_only_if_the_question_compares_them() -> None:
    with pytest.raises(CalculationRefused) as refused:
        calculate("q1 + q2", CalculationRules())
    assert (refused.value.code, "2023 and 2024" in refused.value.detail) == ("period_mismatch", True)
    with pytest.raises(CalculationRefused) as refused:
        calculate("q1 * 2", CalculationRules(years=frozenset({"2024"})))
    assert refused.value.code == "period_mismatch"
    assert calculate("q5 * 17", CalculationRules(numbers=frozenset({Decimal(17)}))) == "68"


def test_lines_record_every_operation() -> None:
    calculator = Calculator(CELLS, ACROSS)
    result = calculator.calculate(parse_expression("(q2 - q1) / q1"))
    assert [str(line.operation) for line in calculator.lines] == ["difference(q2, q1)", "ratio(difference(q2, q1), q1)"]
    assert set(result.cells) == {"c1", "c2"}
    assert references(parse_expression("q2 + q1 + q2")) == ["q2", "q1"]


@pytest.mark.parametrize(
    ("question", "choice", "expected"),
    [
        ("What is the notice period for office staff?", "auto", "single_step simple_question"),
        ("What is the total price of the order?", "auto", "single_step simple_question"),
        ("Qual è il termine per il reclamo?", "auto", "single_step simple_question"),
        ("When did the contract with Rovereda start?", "auto", "single_step simple_question"),
        ("By how much did revenue grow in 2024?", "auto", "multi_step calculation"),
        ("What was the average profit of Alfa and Beta in 2024?", "auto", "multi_step calculation"),
        ("Di quanto è cresciuto l'utile di Quercialta?", "auto", "multi_step calculation"),
        ("Qual è la differenza tra le due tariffe?", "auto", "multi_step calculation"),
        ("Which bank has the higher fee, Fiordalba or Rovereda?", "auto", "multi_step comparison"),
        ("Is the fee at Banca di Fiordalba higher than 3 euro?", "auto", "multi_step comparison"),
        ("What is the notice period?", "always", "multi_step requested"),
        ("By how much did revenue grow in 2024?", "never", "single_step requested"),
    ],
)
def test_route_depends_on_the_question_unless_it_is_requested(
    question: str, choice: StepsChoice, expected: str
) -> None:
    decision = choose_route(parse_question(analyze_query(question)), choice, is_endpoint_set=True, has_hits=True)
    assert f"{decision.route} {decision.reason}" == expected


def test_route_without_an_endpoint_or_hits_is_one_step() -> None:
    question = parse_question(analyze_query("By how much did revenue grow in 2024?"))
    assert choose_route(question, "always", is_endpoint_set=False, has_hits=True).reason == "no_chat_endpoint"
    assert choose_route(question, "always", is_endpoint_set=True, has_hits=False).reason == "nothing_found"
    rules = calculation_rules(question)
    assert (rules.is_across_periods, rules.years) == (True, frozenset({"2024"}))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nothing", "no JSON object"),
        ('{"searches": []}', "1 to 6 searches"),
        ('{"searches": [{"id": "q1", "query": "a"}, {"id": "q1", "query": "b"}]}', "the same id"),
        ('{"searches": [{"id": "q1", "query": "a"}], "expression": "q1 + q2"}', "q2"),
        ('{"searches": [{"id": "q1", "query": "a"}], "expression": "q1 +"}', "cannot be read"),
        ('{"searches": [{"id": "q1", "query": ""}]}', "searches.0.query"),
        ('{"searches": [{"id": "x", "query": "a"}]}', "searches.0.id"),
        ('{"searches": [{"id": "q1", "query": 7}]}', "searches.0.query"),
        ('{"searches": [{"id": "q1", "query": "a"}], "code": "1"}', "code"),
        ("[1]", "no JSON object"),
        (
            '{"searches": [{"id": "q1", "query": "<figure> of <name> in 2020"}], "expression": null}',
            "has a placeholder",
        ),
        ('{"searches": [{"id": "q1", "query": "a"}], "expression": "100"}', "names no search"),
    ],
)
def test_bad_plans_are_refused_with_a_reason(text: str, problem: str) -> None:
    with pytest.raises(UnusablePlan, match=problem):
        read_plan(text)


def test_good_plan_is_read_out_of_prose() -> None:
    plan = read_plan('Sure: {"searches": [{"id": "q1", "query": "fee"}], "expression": null} Bye.')
    assert (plan.searches[0].query, plan.parse()) == ("fee", None)
