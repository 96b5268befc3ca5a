"""Import every module of packages to write the bytecode of the modules and of their imports.

An image carries this instead of the bytecode of whole packages, half of which nothing imports. Modules that need a
package which the image leaves out are passed over.
"""

import importlib
import pkgutil
import sys


def main() -> None:
    sys.dont_write_bytecode = False
    for package in sys.argv[1:]:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if module.name.endswith(".__main__"):
                continue  # `python -m` runs it, and it may start a program
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                if (error.name or package).partition(".")[0] == package:
                    raise
                print(f"{module.name} is skipped: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
