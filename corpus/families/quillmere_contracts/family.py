"""English software contracts: ten near copies with order forms, amendments, a data processing agreement and a guide."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "contracts.toml").read_text(encoding="utf-8"))
    contracts = {one["key"]: one for one in facts["contract"]}
    drafts = [
        Draft(file=f"quillmere-agreement-{key}.{one['format']}", source=render_source(folder, "agreement.txt", k=one))
        for key, one in contracts.items()
    ]
    drafts += [
        Draft(file=f"quillmere-order-form-{key}.{one['order']}", source=render_source(folder, "order.txt", k=one))
        for key, one in contracts.items()
    ]
    drafts += [
        Draft(
            file=f"quillmere-amendment-{one['number']}-{one['key']}.{one['format']}",
            source=render_source(folder, "amendment.txt", a=one, k=contracts[one["key"]]),
        )
        for one in facts["amendment"]
    ]
    drafts.append(Draft(file="quillmere-data-processing-agreement.pdf", source=render_source(folder, "dpa.txt")))
    drafts.append(Draft(file="quillmere-support-guide.md", source=render_source(folder, "support.txt")))
    return Family(
        name="quillmere_contracts", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder))
    )
