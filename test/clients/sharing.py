"""Threads share a client, and tasks an asynchronous one; run by python.test.ts against the service."""

import asyncio
import os
import threading

from gloss_client import Client
from gloss_client.aio import AsyncClient

SIGN_IN = (os.environ["GLOSS_URL"], "alice", os.environ["GLOSS_PASSWORD"])
PLACES = [f"place {i}" for i in range(16)]


def threads() -> list[object]:
    client, read = Client(*SIGN_IN), []

    def work(place: str) -> None:
        client.write_value("alice/place", place, about=place)
        read.append(client.read_value("alice/place", about=place).value)

    running = [threading.Thread(target=work, args=[place]) for place in PLACES]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return sorted(read)


async def tasks() -> list[object]:
    async with AsyncClient(*SIGN_IN) as client:

        async def work(place: str) -> object:
            await client.write_value("alice/place", f"{place}!", about=place)
            return (await client.read_value("alice/place", about=place)).value

        return sorted(await asyncio.gather(*map(work, PLACES)))


assert threads() == sorted(PLACES)
assert asyncio.run(tasks()) == sorted(f"{place}!" for place in PLACES)
print("shared")
