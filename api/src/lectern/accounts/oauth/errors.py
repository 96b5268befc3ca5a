"""Errors of the OAuth protocol. They are no problems, because clients expect their form."""


class OAuthError(Exception):
    """An error in the form of RFC 6749: a code of the protocol and a description for developers."""

    def __init__(self, code: str, description: str) -> None:
        self.code = code
        self.description = description
        super().__init__(f"{code}: {description}")
