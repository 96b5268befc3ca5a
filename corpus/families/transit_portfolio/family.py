"""The project portfolio of a transport agency in 2024: status slides, budgets by quarter, risk registers and memos."""

import random
from pathlib import Path

from generator.markup import parse_source
from toolkit.family import Draft, Family, read_parts, read_questions

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")  # fmt: skip
PROJECTS: dict[str, tuple[str, str, str, tuple[int, ...], tuple[float, ...], tuple[str, ...]]] = {
    "P-101": ("Tram line 7 to Quarry Hill", "Ingrid Soames", "GGAARRAAAGGG", (31, 34, 37, 39, 40, 42, 45, 49, 52, 56, 59, 62),
              (184.0, 184.0, 186.5, 186.5, 193.2, 193.2, 191.0, 191.0, 191.0, 191.0, 189.6, 189.6),
              ("Aug 2026", "Aug 2026", "Oct 2026", "Oct 2026", "Mar 2027", "Mar 2027", "Jan 2027", "Jan 2027", "Jan 2027", "Dec 2026", "Dec 2026", "Dec 2026")),
    "P-104": ("Tapway ticketing", "Kofi Barrow", "AAARRRRAAAAG", (52, 55, 58, 60, 60, 60, 63, 68, 74, 80, 86, 93),
              (22.4, 22.4, 22.4, 23.9, 23.9, 26.1, 26.1, 26.1, 26.1, 25.8, 25.8, 25.8),
              ("Sep 2024", "Sep 2024", "Oct 2024", "Oct 2024", "Jan 2025", "Feb 2025", "Feb 2025", "Feb 2025", "Feb 2025", "Feb 2025", "Feb 2025", "Feb 2025")),
    "P-107": ("Northgate depot", "Lena Varga", "GGGGGAAAGGGG", (12, 14, 17, 21, 26, 28, 30, 34, 39, 45, 50, 54),
              (61.5, 61.5, 61.5, 61.5, 61.5, 63.0, 63.0, 63.0, 62.2, 62.2, 62.2, 62.2),
              ("Nov 2025",) * 5 + ("Jan 2026",) * 3 + ("Dec 2025",) * 4),
    "P-112": ("Bus lanes Eastern Ring", "Marcus Thorne", "GGGAAAGGGGGG", (64, 68, 72, 73, 74, 78, 83, 88, 93, 97, 100, 100),
              (9.8, 9.8, 9.8, 9.8, 9.9, 9.9, 9.9, 9.7, 9.7, 9.7, 9.6, 9.6),
              ("Aug 2024",) * 3 + ("Oct 2024",) * 7 + ("done", "done")),
    "P-115": ("Lifts at five stations", "Lena Varga", "AAAAGGGGRRAA", (22, 25, 28, 33, 40, 47, 55, 61, 62, 62, 66, 71),
              (14.6, 14.6, 14.6, 14.6, 14.6, 14.6, 14.4, 14.4, 15.9, 15.9, 15.9, 15.7),
              ("Mar 2025",) * 8 + ("Aug 2025",) * 3 + ("Jul 2025",)),
    "P-118": ("Real-time signs", "Kofi Barrow", "GGGGGGGAARRR", (8, 12, 17, 22, 28, 34, 41, 44, 45, 46, 46, 46),
              (6.2, 6.2, 6.2, 6.2, 6.1, 6.1, 6.1, 6.4, 6.4, 7.3, 7.3, 7.3),
              ("May 2025",) * 7 + ("Jul 2025",) * 2 + ("Dec 2025",) * 3),
}  # fmt: skip
BUDGETS = {"P-101": 185.0, "P-104": 22.0, "P-107": 61.5, "P-112": 10.0, "P-115": 14.6, "P-118": 6.2}
SPENT = {
    "P-101": (71.3, 80.9, 96.4, 114.2), "P-104": (13.2, 15.8, 18.9, 22.7), "P-107": (9.6, 16.1, 23.8, 32.5),
    "P-112": (6.9, 7.6, 9.0, 9.6), "P-115": (4.2, 6.8, 9.1, 10.6), "P-118": (1.1, 2.0, 2.9, 3.3),
}  # fmt: skip
COLOURS = {"G": "green", "A": "amber", "R": "red"}
SECTIONS = {"G": "At a glance", "A": "Achieved", "P": "Problems", "D": "Decisions needed", "N": "Next month"}
COSTS = ("Civil works", "Equipment", "Design and supervision", "Land and compensation", "Own staff", "Insurance")


def family(folder: Path) -> Family:
    drafts = [_slides(number, body) for number, (_, body) in enumerate(read_parts(folder / "months.txt"))]
    drafts += [_budget(quarter) for quarter in range(4)]
    drafts += [_document(*part) for part in read_parts(folder / "documents.txt")]
    return Family(name="transit_portfolio", split="dev", drafts=tuple(drafts), questions=tuple(read_questions(folder)))


def _meta(title: str, tags: str, look: str = "report") -> str:
    return (
        f"---\ntitle: {title}\ncompany: Wexmoor Transit Authority\nlanguage: en\nlook: {look}\ncover: no\n"
        f"collection: Wexmoor portfolio\ntags: {tags}\n---\n\n"
    )


def _slides(number: int, lines: str) -> Draft:
    groups: dict[str, list[str]] = {}
    for line in lines.splitlines():
        if line.strip():
            groups.setdefault(line[0], []).append(line[3:])
    table = ["| Project | Status | Complete % | Forecast million | Finish |"]
    for code, (name, _, status, done, cost, finish) in PROJECTS.items():
        colour = COLOURS[status[number]]
        table.append(f"| {code} {name} | {colour} | {done[number]} | {cost[number]:.1f} | {finish[number]} |")
    body = ""
    for key, heading in SECTIONS.items():
        body += f"# {heading}\n\n" + "\n".join(f"- {line}" for line in groups[key]) + "\n\n"
        if key == "G":
            body += "# Projects\n\n" + "\n".join(table) + "\n\n"
    title = f"Portfolio status, {MONTHS[number]} 2024"
    return Draft(file=f"wexmoor-status-2024-{number + 1:02d}.pptx", source=parse_source(_meta(title, "status") + body))


def _budget(quarter: int) -> Draft:
    month = quarter * 3 + 2
    rows = ["| Project | Name | Manager | Budget | Spent to date | Forecast | Difference |"]
    shares = ["| Project | Kind of cost | Spent to date |"]
    for code, (name, manager, _, _, cost, _) in PROJECTS.items():
        spent, forecast = SPENT[code][quarter], cost[month]
        rows.append(
            f"| {code} | {name} | {manager} | {BUDGETS[code]:.1f} | {spent:.1f} | {forecast:.1f} | {forecast - BUDGETS[code]:.1f} |"
        )
        chosen = random.Random(code)
        weights = [chosen.uniform(0.5, 3) / (index + 1) for index in range(len(COSTS))]
        shares += [
            f"| {code} | {kind} | {spent * one / sum(weights):.2f} |" for kind, one in zip(COSTS, weights, strict=True)
        ]
    used = (
        (2.1, "signal cables of P-101"),
        (6.9, "drainage of P-101 and vendor change of P-104"),
        (8.2, "lift shaft at Mill Cross"),
        (9.4, "signs of P-118"),
    )[quarter]
    reserve = f"| Item | Million |\n| Reserve at the start of 2024 | 15.0 |\n| Used up to the end of the quarter | {used[0]} |\n| Left | {15 - used[0]:.1f} |\n| Last use | {used[1]} |"
    body = f"# Budget\n\n{chr(10).join(rows)}\n\n# Kinds of cost\n\n{chr(10).join(shares)}\n\n# Reserve\n\n{reserve}"
    title = f"Portfolio budget, Q{quarter + 1} 2024 (million crowns)"
    return Draft(file=f"wexmoor-budget-2024-q{quarter + 1}.xlsx", source=parse_source(_meta(title, "budget") + body))


def _document(head: list[str], body: str) -> Draft:
    file, title, tags = head
    return Draft(file=file, source=parse_source(_meta(title, tags, "contract") + body))
