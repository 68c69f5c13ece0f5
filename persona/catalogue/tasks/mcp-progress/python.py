# snippet:doc https://modelcontextprotocol.io/specification/latest/basic/utilities/progress Progress
# snippet:about Model Context Protocol
# snippet:needs Python 3.10, mcp 2
import asyncio

from mcp import Client
from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("archive")


async def read(folder: str) -> int:
    await asyncio.sleep(0.1)  # as if there were files
    return len(folder)


@server.tool()
async def index(folders: list[str], context: Context) -> int:
    """Index folders, and return how many documents there are."""
    documents = 0
    for done, folder in enumerate(folders):
        await context.report_progress(done, len(folders), f"reading {folder}")
        documents += await read(folder)
    await context.report_progress(len(folders), len(folders), "done")
    return documents


async def show(progress: float, total: float | None, message: str | None) -> None:
    print(f"{progress:.0f} of {'?' if total is None else round(total)}: {message}")


async def main() -> None:
    async with Client(server) as client:
        arguments = {"folders": ["2025", "2026"]}
        result = await client.call_tool("index", arguments, read_timeout_seconds=60, progress_callback=show)
        print(result.structured_content)
# snippet:usage


asyncio.run(main())
asyncio.run(show(3, None, "a server that knows no total"))
# snippet:prints 0 of 2: reading 2025
# snippet:prints 1 of 2: reading 2026
# snippet:prints 2 of 2: done
# snippet:prints {'result': 8}
# snippet:prints 3 of ?: a server that knows no total
