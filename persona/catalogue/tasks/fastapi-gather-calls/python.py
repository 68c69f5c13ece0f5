# snippet:doc https://fastapi.tiangolo.com/async/ Concurrency and async
# snippet:about FastAPI
# snippet:check
# snippet:prints 200 {'name': 'mug', 'stars': 4.5}
# snippet:prints True
# snippet:prints 504
# snippet:needs Python 3.11
# snippet:end
import asyncio

import httpx
from fastapi import FastAPI, HTTPException

app = FastAPI()


async def get(client: httpx.AsyncClient, url: str) -> dict:
    response = await client.get(url)
    return response.raise_for_status().json()


@app.get("/products/{number}")
async def product(number: int):
    async with services() as client:
        try:
            async with asyncio.timeout(1), asyncio.TaskGroup() as group:
                details = group.create_task(get(client, f"/details/{number}"))
                rating = group.create_task(get(client, f"/rating/{number}"))
        except TimeoutError:
            raise HTTPException(504, "a service answers too late")
    return details.result() | rating.result()


def services() -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url="https://services.example.com")


# snippet:check
import time
from fastapi.testclient import TestClient


async def answer(request):
    kind, number = request.url.path.split("/")[1:]
    await asyncio.sleep(5 if number == "2" else 0.3)
    return httpx.Response(200, json={"name": "mug"} if kind == "details" else {"stars": 4.5})


def services():  # noqa: F811
    return httpx.AsyncClient(base_url="https://services.example.com", transport=httpx.MockTransport(answer))


with TestClient(app) as client:
    start = time.monotonic()
    both = client.get("/products/1")
    print(both.status_code, both.json())
    print(time.monotonic() - start < 0.55)
    print(client.get("/products/2").status_code)
