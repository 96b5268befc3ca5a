"""Write the MCPB bundle for Claude Desktop: `python mcp/build_bundle.py [FILE]`, by default `mcp/dist/lectern.mcpb`.

It is a zip file with a manifest, the project file, its README and the sources. Claude Desktop installs the
dependencies with uv.
"""

import sys
import zipfile
from pathlib import Path

MCP = Path(__file__).parent


def build_bundle(target: Path) -> None:
    """Write the bundle to `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.write(MCP / "bundle" / "manifest.json", "manifest.json")
        bundle.write(MCP / "pyproject.toml", "pyproject.toml")
        bundle.write(MCP / "README.md", "README.md")
        for source in sorted((MCP / "src").rglob("*.py")):
            bundle.write(source, source.relative_to(MCP).as_posix())


if __name__ == "__main__":
    build_bundle(Path(sys.argv[1]) if len(sys.argv) > 1 else MCP / "dist" / "lectern.mcpb")
