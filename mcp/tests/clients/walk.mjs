// What both clients do once they are connected: the walk of an agent from the list of tools to an opened page.
// Prints one JSON object; the test reads it.

async function outcome(promise) {
  try {
    return await promise;
  } catch (error) {
    return { thrown: { code: error.code, message: error.message } };
  }
}

export async function walk(client) {
  const tools = await client.listTools();
  const found = await client.callTool({ name: "search", arguments: { query: "due diligence", top_k: 2 } });
  const url = found.structuredContent.data[0].url;
  const report = {
    version: client.getNegotiatedProtocolVersion?.() ?? client.transport?.protocolVersion,
    server: client.getServerVersion(),
    tools: tools.tools.map((tool) => ({ name: tool.name, hints: tool.annotations, hasOutput: Boolean(tool.outputSchema) })),
    found: { structured: found.structuredContent, text: found.content[0].text },
    page: (await client.readResource({ uri: url })).contents[0],
    prompt: (await client.getPrompt({ name: "answer_with_citations", arguments: { question: "Who?" } })).messages[0],
    templates: (await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate),
    misspelt: await outcome(client.callTool({ name: "search", arguments: { query: "x", tag: ["aml"] } })),
    unknownTool: await outcome(client.callTool({ name: "drop_tables", arguments: {} })),
    unknownPage: await outcome(client.readResource({ uri: url.replace(/\d+\/[\d-]+$/, "999") })),
  };
  console.log(JSON.stringify(report));
  await client.close();
}
