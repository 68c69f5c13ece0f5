# snippet:doc https://py.sdk.modelcontextprotocol.io/ MCP Python SDK
# snippet:about Model Context Protocol
# snippet:needs Python 3.10, mcp 2
# snippet:into Save it as server.py, with server.run("stdio") at its end, and name it in the client's settings, with SHOP_DB, the database's path, in its environment.
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


@asynccontextmanager
async def database(_: MCPServer) -> AsyncIterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{Path(os.environ['SHOP_DB']).resolve().as_uri()}?mode=ro", uri=True)
    # Nor open another file, change a setting, or hide a table behind a temporary one.
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
    try:
        yield connection
    finally:
        connection.close()


server = MCPServer("shop", lifespan=database)


@server.tool()
async def query(sql: str, context: Context[sqlite3.Connection]) -> list[list[str | int | float | None]]:
    """Run one SELECT on the shop's SQLite database; at most 100 rows. Of a BLOB take its hex()."""
    connection = context.request_context.lifespan_context
    try:
        return [list(row) for row in connection.execute(sql).fetchmany(100)]
    except sqlite3.Error as error:
        raise ToolError(f"SQLite: {error}") from error
# snippet:check


# snippet:measures a query cannot change the database
import asyncio
import tempfile

from mcp import Client


async def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SHOP_DB"] = f"{folder}/shop.db"
        setup = sqlite3.connect(os.environ["SHOP_DB"])
        setup.executescript("CREATE TABLE item (name text, cents int); INSERT INTO item VALUES ('tea', 350), ('cup', 800);")
        async with Client(server) as client:
            print(sorted((await client.list_tools()).tools[0].input_schema["properties"]))
            for sql in "SELECT * FROM item", "DELETE FROM item", "ATTACH 'other.db' AS o", "CREATE TEMP TABLE item AS SELECT 1", \
                    "VACUUM INTO 'copy.db'", "PRAGMA query_only", "SELECT nonsense", "SELECT sum(cents), count(*) FROM item":
                result = await client.call_tool("query", {"sql": sql})
                print((result.structured_content or {}).get("result") or result.content[0].text)
        print(setup.execute("SELECT count(*) FROM item").fetchone()[0])


asyncio.run(main())
# snippet:prints ['sql']
# snippet:prints [['tea', 350], ['cup', 800]]
# snippet:prints Error executing tool query: SQLite: not authorized
# snippet:prints Error executing tool query: SQLite: not authorized
# snippet:prints Error executing tool query: SQLite: not authorized
# snippet:prints Error executing tool query: SQLite: authorization denied
# snippet:prints Error executing tool query: SQLite: not authorized
# snippet:prints Error executing tool query: SQLite: no such column: nonsense
# snippet:prints [[1150, 2]]
# snippet:prints 2
