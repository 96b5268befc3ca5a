"""A maker of e-bikes: support tickets as e-mail threads, release notes of the firmware, FAQ and price lists by year."""

import random
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from generator.markup import Rows, parse_source
from toolkit.family import Draft, Family, read_parts, read_questions

PARTS = (
    ("TB-BAT-500", "Battery Cell 500, 504 Wh", 529, 549, 565), ("TB-BAT-720", "Battery Cell 720, 720 Wh", 689, 719, 699),
    ("TB-CHG-2", "Charger, 2 A", 79, 82, 84), ("TB-CHG-4", "Fast charger, 4 A", 129, 135, 139),
    ("TB-DSP-21", "Display Ridge 2.1", 98, 98, 89), ("TB-DSP-30", "Display Ridge 3, colour", 0, 149, 154),
    ("TB-KEY-B", "Battery lock, pair of keys", 34, 36, 38), ("TB-MOT-60", "Motor Fell 60, exchange", 610, 640, 655),
    ("TB-MOT-85", "Motor Fell 85, exchange", 745, 780, 812), ("TB-SPD-1", "Speed sensor with magnet", 24, 26, 27),
    ("TB-TRQ-5", "Torque sensor, square axle", 92, 95, 99), ("TB-BLT-118", "Carbon belt, 118 teeth", 84, 88, 93),
    ("TB-FRK-CA", "Fork of the Carrier, revised crown", 0, 0, 318), ("TB-BOX-CA", "Child box of the Carrier, two seats", 390, 410, 425),
)  # fmt: skip
SMALL = ("Mudguard", "Saddle clamp", "Brake pad set", "Bell", "Kickstand", "Grip pair", "Spoke set", "Rim tape", "Lamp bracket", "Chain guard")  # fmt: skip


def family(folder: Path) -> Family:
    drafts = [_draft(*part) for part in read_parts(folder / "documents.txt")]
    drafts += [_mail(*part) for part in read_parts(folder / "mails.txt")]
    drafts += [_prices(year) for year in (2023, 2024, 2025)]
    return Family(name="ebike_support", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder)))


def _meta(title: str, tags: str, extra: str = "") -> str:
    return (
        f"---\ntitle: {title}\ncompany: Tarnbeck Cycles\nlanguage: en\nlook: shop\n"
        f"collection: Tarnbeck support\ntags: {tags}\n{extra}---\n\n"
    )


def _draft(head: list[str], body: str) -> Draft:
    file, title, tags = head
    return Draft(file=file, source=parse_source(_meta(title, tags) + body))


def _mail(head: list[str], body: str) -> Draft:
    number, subject, sender, to, date = head
    moment = format_datetime(datetime.fromisoformat(date).replace(tzinfo=UTC))
    extra = f"code: tarnbeck-{number}\nfrom: {_address(sender)}\nto: {_address(to)}\ndate: {moment}\n"
    return Draft(file=f"tarnbeck-mail-{number}.eml", source=parse_source(_meta(subject, "e-mail", extra) + body))


def _address(name: str) -> str:
    return f"{name} <{name.lower().replace(' ', '.')}@example.org>"


def _prices(year: int) -> Draft:
    chosen = random.Random(7)
    rows = [("Number", "Part", "Price EUR incl. VAT", "Dealer EUR", "Delivery days")]
    for number, name, *prices in PARTS:
        price = prices[year - 2023]
        if price:
            rows.append((number, name, str(price), f"{price * 0.68:.2f}", str(3 + len(name) % 9)))
    for model in ("Dale", "Moor", "Carrier"):
        for name in SMALL:
            price = chosen.randint(9, 60) * (1 + (year - 2023) * 0.04)
            code = f"TB-{model[:2].upper()}-{chosen.randint(100, 999)}"
            rows.append(
                (code, f"{name} for {model}", f"{price:.2f}", f"{price * 0.68:.2f}", str(chosen.randint(2, 15)))
            )
    source = parse_source(_meta(f"Tarnbeck spare parts, prices of {year}", "prices") + "{{table prices}}")
    return Draft(file=f"tarnbeck-prices-{year}.csv", source=source, tables={"prices": Rows(tuple(rows))})
