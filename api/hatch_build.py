"""Package the files beside the modules: the built web UI, the sample documents and the MCP service.

A wheel from a clone takes them from the clone. A source distribution keeps them for its own wheel.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds files from outside the folder of the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files that exist. Called before a wheel or a source distribution is built."""
        if version == "editable":
            return
        root = Path(self.root)
        kept = root / "carried"
        ui = kept / "ui" if kept.is_dir() else root.parent / "frontend" / "dist"
        samples = kept / "samples" if kept.is_dir() else root.parent / "test-docs"
        mcp = kept / "mcp" if kept.is_dir() else root.parent / "mcp" / "src"
        target = "carried" if self.target_name == "sdist" else "lectern/carried"
        included = build_data["force_include"]
        if (ui / "index.html").is_file():
            included[str(ui)] = f"{target}/ui"
        if (samples / "manifest.json").is_file():
            included[str(samples / "manifest.json")] = f"{target}/samples/manifest.json"
            included[str(samples / "documents")] = f"{target}/samples/documents"
        if (mcp / "lectern_mcp").is_dir():
            included[str(mcp / "lectern_mcp")] = f"{target}/mcp/lectern_mcp"
