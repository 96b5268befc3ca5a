"""A museum: exhibition plans, loan agreements, visitor statistics by year, and press releases in English and German."""

import random
import tomllib
from pathlib import Path

from generator.markup import parse_source
from toolkit.family import Draft, Family, read_parts, read_questions, render_source

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")  # fmt: skip
VISITORS = {  # by month
    2022: (4120, 4485, 5210, 6033, 6418, 5127, 4876, 5240, 6102, 7344, 6820, 7215),
    2023: (5033, 5290, 6114, 7025, 7381, 6240, 5902, 6377, 9846, 11258, 10431, 9127),
    2024: (7244, 4011, 3987, 6882, 8105, 7418, 7033, 7291, 7766, 8904, 8213, 8567),
}
KINDS = {  # full price, reduced, school classes, members, free evening
    2022: (35870, 17245, 8930, 4120, 2825), 2023: (42316, 23108, 11475, 5890, 7235), 2024: (39204, 21877, 9618, 6540, 8182),
}  # fmt: skip
ORIGIN = {2022: (41, 37, 14, 8), 2023: (34, 39, 16, 11), 2024: (36, 35, 17, 12)}


def family(folder: Path) -> Family:
    drafts = [_document(*part) for part in read_parts(folder / "documents.txt")]
    loans = tomllib.loads((folder / "loans.toml").read_text("utf-8"))["loan"]
    drafts += [
        Draft(file=f"lindenhof-loan-{one['key']}.pdf", source=render_source(folder, "loan.txt", x=one)) for one in loans
    ]
    drafts += [_visitors(year) for year in VISITORS]
    return Family(name="museum_lindenhof", split="test", drafts=tuple(drafts), questions=tuple(read_questions(folder)))


def _meta(title: str, tags: str, language: str) -> str:
    return (
        f"---\ntitle: {title}\ncompany: Lindenhof Museum\nlanguage: {language}\nlook: report\ncover: no\n"
        f"collection: Lindenhof Museum\ntags: {tags}\n---\n\n"
    )


def _document(head: list[str], body: str) -> Draft:
    file, title, tags, language = head
    return Draft(file=file, source=parse_source(_meta(title, tags, language) + body))


def _visitors(year: int) -> Draft:
    months = "| Month | Visitors | Open days | Shop euros | Guided tours |\n"
    chosen = random.Random(year)
    for month, count in zip(MONTHS, VISITORS[year], strict=True):
        days = 12 if year == 2024 and month in {"February", "March"} else chosen.randint(25, 27)
        months += (
            f"| {month} | {count} | {days} | {count * chosen.randint(280, 420) // 100} | {chosen.randint(18, 96)} |\n"
        )
    months += f"| Total | {sum(VISITORS[year])} |"
    names = ("Full price", "Reduced", "School classes", "Members", "Free evening")
    kinds = "| Ticket | Visitors |\n" + "\n".join(
        f"| {name} | {count} |" for name, count in zip(names, KINDS[year], strict=True)
    )
    places = ("Town", "Rest of the region", "Rest of the country", "Abroad")
    origin = "| Origin | Percent |\n" + "\n".join(
        f"| {place} | {share} |" for place, share in zip(places, ORIGIN[year], strict=True)
    )
    days = "| Day | Visitors |\n" + "\n".join(
        f"| {month} {day}, {year} | {chosen.randint(70, 520)} |" for month in MONTHS for day in range(1, 29) if day % 7
    )
    body = f"# Months\n\n{months}\n\n# Tickets\n\n{kinds}\n\n# Origin\n\n{origin}\n\n# Days\n\n{days}"
    title = f"Visitors of the Lindenhof Museum in {year}"
    return Draft(file=f"lindenhof-visitors-{year}.xlsx", source=parse_source(_meta(title, "visitors", "en") + body))
