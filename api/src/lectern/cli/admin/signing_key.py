"""`lectern keys rotate-signing`: replace the key that signs sessions."""

from datetime import UTC, datetime, timedelta

from lectern.cli.console import results, show_json
from lectern.cli.installation import data_folder
from lectern.cli.options import DataDir, Json
from lectern.cli.services.create_secrets import replace_generated_key
from lectern.embedded.errors import DataFolderUnusable
from lectern.embedded.secrets import load_or_create, save
from lectern.errors import Misconfigured
from lectern.settings import load_settings, process_environment
from lectern.settings.secret_files import FILE_SUFFIX, generated_file


def rotate_signing(data_dir: DataDir = None, is_json: Json = False) -> None:
    """Create a new key that signs sessions. The previous one stays valid until its tokens have expired."""
    settings = load_settings()
    now = datetime.now(UTC)
    generated = generated_file("JWT_SECRET_KEY")
    if generated is not None and not _is_given():
        replace_generated_key(generated)
    elif settings.accounts.jwt_secret_key is not None:
        raise Misconfigured(
            "JWT_SECRET_KEY is set, so this command cannot change the key.",
            hint="Set JWT_SECRET_KEY=NEW,OLD with a new random value first, and restart.",
        )
    else:
        path = data_folder(settings, data_dir).secrets
        if not path.exists():
            raise DataFolderUnusable(f"{path} does not exist.", hint="Name your data folder with --data-dir.")
        save(path, load_or_create(path)[0].with_new_signing_key(now))
    expires_at = now + timedelta(days=settings.accounts.refresh_token_days)
    if is_json:
        show_json({"previous_key_expires_at": expires_at.isoformat()})
    else:
        results.print(f"Restart Lectern to use the new key. The previous one is valid until {expires_at:%Y-%m-%d}.")


def _is_given() -> bool:
    values = {name.upper(): value for name, value in process_environment().items()}
    return bool(values.get("JWT_SECRET_KEY") or values.get("JWT_SECRET_KEY" + FILE_SUFFIX))
