"""Prints how many tools FastMCP makes of the contract, and how many bytes their list has."""

import asyncio
import json
import os
from pathlib import Path

import httpx2
from fastmcp import Client, FastMCP


async def main() -> None:
    document = json.loads(Path(os.environ["DOCUMENT"]).read_text())
    async with Client(FastMCP.from_openapi(document, httpx2.AsyncClient(base_url="http://localhost"))) as client:
        tools = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in await client.list_tools()]
    print(json.dumps({"tools": len(tools), "bytes": sum(len(tool.encode()) for tool in tools)}))


asyncio.run(main())
