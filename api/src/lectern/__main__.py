"""`python -m lectern`: the command line."""

from lectern.cli.main import run

if __name__ == "__main__":
    run()
