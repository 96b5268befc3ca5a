"""`lectern first-password`: the generated password of the first administrator."""

from typing import Final

from lectern.cli.console import results
from lectern.cli.installation import data_folder
from lectern.cli.options import DataDir
from lectern.embedded.permissions import write_private
from lectern.errors import NotFound
from lectern.settings import load_settings
from lectern.settings.secret_files import generated_file, read_secret

_NEW_PASSWORD: Final = "Set a new one: `lectern users set-password E-MAIL`."  # noqa: S105 - a hint


def first_password(data_dir: DataDir = None) -> None:
    """Print the generated password of the first administrator, and delete it. It is shown once.

    Raises NotFound if it was shown before, or none was generated.
    """
    generated = generated_file("ADMIN_PASSWORD")
    path = generated or data_folder(load_settings(), data_dir).first_password
    password = read_secret(path, path.name) if path.is_file() else ""
    if not password:
        raise NotFound("There is no first password to show.", hint=_NEW_PASSWORD)
    results.print(password, markup=False)
    if generated:
        write_private(path, "")  # a missing file would be generated again
    else:
        path.unlink()
