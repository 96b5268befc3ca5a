"""Run searches with a retriever and print what came of each, as JSON.

Usage: `retrieve.py langchain|llamaindex`. Reads a call a line: `settings`, a `query` and perhaps `arguments`.
Each runs synchronously and asynchronously. Runs in the environment `retrievers`, with the built wheels.
"""

import asyncio
import json
import sys
from typing import Any

Outcome = dict[str, Any]


class LangChain:
    def __init__(self, settings: dict[str, Any]) -> None:
        from lectern_langchain import LecternRetriever

        self.retriever = LecternRetriever(**settings)

    def search(self, query: str, arguments: dict[str, Any]) -> list[Outcome]:
        return [self._passage(document) for document in self.retriever.invoke(query, **arguments)]

    async def asearch(self, query: str, arguments: dict[str, Any]) -> list[Outcome]:
        return [self._passage(document) for document in await self.retriever.ainvoke(query, **arguments)]

    @staticmethod
    def _passage(document: Any) -> Outcome:
        return {"id": document.id, "text": document.page_content, "metadata": document.metadata}


class LlamaIndex:
    def __init__(self, settings: dict[str, Any]) -> None:
        from lectern_llamaindex import LecternRetriever

        self.retriever = LecternRetriever(**settings)

    def search(self, query: str, arguments: dict[str, Any]) -> list[Outcome]:
        return [self._passage(node) for node in self.retriever.retrieve(query)]

    async def asearch(self, query: str, arguments: dict[str, Any]) -> list[Outcome]:
        return [self._passage(node) for node in await self.retriever.aretrieve(query)]

    @staticmethod
    def _passage(found: Any) -> Outcome:
        from llama_index.core.schema import MetadataMode

        node = found.node
        more = {"source": node.ref_doc_id, "score": found.score, "for_models": node.get_content(MetadataMode.LLM)}
        return {"id": node.node_id, "text": node.get_content(), "metadata": node.metadata, **more}


def run(framework: str, call: dict[str, Any]) -> list[Outcome]:
    def describe(error: Exception) -> Outcome:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        fields = ("message", "code", "hint", "status", "retry_after_seconds")
        return {"kinds": kinds, "text": str(error), **{name: getattr(error, name, None) for name in fields}}

    outcomes: list[Outcome] = []
    for is_async in (False, True):
        try:
            retriever = {"langchain": LangChain, "llamaindex": LlamaIndex}[framework](call["settings"])
            arguments = call.get("arguments", {})
            found = (
                asyncio.run(retriever.asearch(call["query"], arguments))
                if is_async
                else retriever.search(call["query"], arguments)
            )
            outcomes.append({"passages": found})
        except Exception as error:  # noqa: BLE001 - the test checks its class
            outcomes.append({"error": describe(error)})
    return outcomes


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(sys.argv[1], json.loads(line))), flush=True)
