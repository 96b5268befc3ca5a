from lectern_mcp.main import run

run()
