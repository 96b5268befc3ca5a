# Tasks for developers: `just --list`. Each one is a command that you can also type.
python := justfile_directory() / ".lectern/venv/bin/python"

# List the tasks
default:
    @just --list

# Make the environment in .lectern/venv
setup:
    ./lectern test --help

# Lint, format check, types and import contracts
lint:
    .lectern/venv/bin/ruff check .
    .lectern/venv/bin/ruff format --check .
    cd api && ../.lectern/venv/bin/pyright --pythonpath {{python}}
    cd mcp && ../.lectern/venv/bin/pyright --pythonpath {{python}}
    cd clients && ../.lectern/venv/bin/pyright --pythonpath ../.lectern/clients/retrievers/bin/python
    cd clients && ../.lectern/venv/bin/pyright --pythonpath {{python}} --project tests
    cd api && ../.lectern/venv/bin/lint-imports

# Format Python and TypeScript
format:
    .lectern/venv/bin/ruff check --fix .
    .lectern/venv/bin/ruff format .
    cd frontend && npm run format

# Run all tests, or those of some paths: `just test api/tests/search -x`
test *ARGUMENTS:
    ./lectern test {{ARGUMENTS}}

# Lint, check the types of, test and build the browser UI
ui:
    cd frontend && npm run lint && npm run types && npm test && npm run build

# Run all six generators, in order
gen:
    {{python}} -m lectern openapi > api/openapi.json
    {{python}} api/tools/rest_reference.py > docs/reference/rest.md
    {{python}} mcp/generate_api_models.py
    cd frontend && npm run gen
    {{python}} -m lectern settings > docs/reference/settings.md
    {{python}} api/tools/error_reference.py > docs/reference/errors.md

# Write the bundle for Claude Desktop: mcp/dist/lectern.mcpb
bundle:
    {{python}} mcp/build_bundle.py

# Build a release into dist/: wheels, bills of materials, checksums
release *ARGUMENTS:
    {{python}} api/tools/release.py {{ARGUMENTS}}

# Print the version, or set it everywhere: `just version 1.2.3`
version *VERSION:
    {{python}} api/tools/versions.py {{VERSION}}

# Download what a wheel depends on, for the tests that install it: 250 MB
packages:
    {{python}} -m pip download --quiet --require-hashes --only-binary=:all: -d .lectern/packages -r api/requirements.lock -r mcp/requirements.lock

# Everything that CI runs
ci:
    bash .ci/run
