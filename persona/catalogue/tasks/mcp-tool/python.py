# snippet:doc https://py.sdk.modelcontextprotocol.io/ MCP Python SDK
# snippet:about Model Context Protocol
# snippet:needs mcp 2
# snippet:into Save it as server.py, and name it in the client's settings.
from typing import Annotated

from mcp.server import MCPServer
from pydantic import BaseModel, Field

server = MCPServer("library")

BOOKS = [("Emma", 1815), ("Dracula", 1897), ("Persuasion", 1817)]


class Found(BaseModel):
    titles: list[str]
    more: bool = Field(description="There are further ones: ask for a narrower range.")


@server.tool()
def books_between(
    first: Annotated[int, Field(ge=1450, le=2100, description="First year, inclusive")],
    last: Annotated[int, Field(ge=1450, le=2100, description="Last year, inclusive")],
    most: Annotated[int, Field(ge=1, le=50)] = 10,
) -> Found:
    """Find books by the year in which they appeared, oldest first."""
    titles = [title for title, year in sorted(BOOKS, key=lambda book: book[1]) if first <= year <= last]
    return Found(titles=titles[:most], more=len(titles) > most)


if __name__ == "__main__":
    # snippet:check
    import asyncio

    from mcp import Client

    async def main():
        async with Client(server) as client:
            (tool,) = (await client.list_tools()).tools
            print(tool.name, tool.description, tool.input_schema["properties"]["first"]["minimum"], sorted(tool.output_schema["properties"]))
            result = await client.call_tool("books_between", {"first": 1800, "last": 1900, "most": 2})
            print(result.structured_content, result.content[0].text.replace("\n", ""))
            refused = await client.call_tool("books_between", {"first": 1, "last": 1900})
            print(refused.is_error, "greater than or equal to 1450" in refused.content[0].text)

    server.run = lambda transport: asyncio.run(main())
    # snippet:end
    server.run("stdio")  # the client starts this file and speaks to it over its standard input
# snippet:prints books_between Find books by the year in which they appeared, oldest first. 1450 ['more', 'titles']
# snippet:prints {'titles': ['Emma', 'Persuasion'], 'more': True} {  "titles": [    "Emma",    "Persuasion"  ],  "more": true}
# snippet:prints True True
