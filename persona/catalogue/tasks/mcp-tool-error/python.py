# snippet:doc https://py.sdk.modelcontextprotocol.io/ MCP Python SDK
# snippet:about Model Context Protocol
# snippet:needs mcp 2.1
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("orders")

STATES = {"A-17": "sent", "A-18": "paid"}


def store(number: str, state: str) -> None:
    raise OSError("disk full: /var/lib/orders")  # no business of the model


@server.tool()
def cancel_order(number: str) -> str:
    """Cancel an order that has not been sent yet."""
    if number not in STATES:
        # Says how to go on, and lists nothing that the asker may not see.
        raise ToolError(f"There is no order {number!r}. Numbers look like A-17; ask the customer for it.")
    if STATES[number] == "sent":
        raise ToolError(f"{number} has been sent: it can be returned, but not cancelled.")
    store(number, "cancelled")
    return f"{number} is cancelled."
# snippet:check


import asyncio
import logging

from mcp import Client

logging.disable()


async def main():
    async with Client(server) as client:
        for number in "A-16", "A-17", "A-18":
            result = await client.call_tool("cancel_order", {"number": number})
            print(result.is_error, result.content[0].text)


asyncio.run(main())
# snippet:prints True Error executing tool cancel_order: There is no order 'A-16'. Numbers look like A-17; ask the customer for it.
# snippet:prints True Error executing tool cancel_order: A-17 has been sent: it can be returned, but not cancelled.
# snippet:prints True Error executing tool cancel_order
