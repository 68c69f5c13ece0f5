# snippet:doc https://fastapi.tiangolo.com/async/ Concurrency and async
# snippet:about FastAPI
# snippet:check
# snippet:prints {'name': 'mug', 'stars': 4.5}
# snippet:prints [504, 502, 502, 502]
# snippet:needs Python 3.11, httpx 0.25
# snippet:end
import asyncio

import httpx
from fastapi import FastAPI, HTTPException

app = FastAPI()
services = httpx.AsyncClient(base_url="https://services.example.com")  # one for all requests: it keeps its connections


async def get(url: str) -> dict:
    answer = (await services.get(url)).raise_for_status().json()
    if not isinstance(answer, dict):
        raise ValueError(f"{url}: no object")
    return answer


@app.get("/products/{number}")
async def product(number: int):
    try:
        async with asyncio.timeout(1), asyncio.TaskGroup() as group:
            details = group.create_task(get(f"/details/{number}"))
            rating = group.create_task(get(f"/rating/{number}"))
    except TimeoutError:
        raise HTTPException(504, "a service answers too late") from None
    except ExceptionGroup as failed:  # of what the tasks raised
        if failed.split((httpx.HTTPError, ValueError))[1]:  # ValueError: no JSON, or no object
            raise  # not the services' fault
        raise HTTPException(502, "a service failed") from failed
    return details.result() | rating.result()


# snippet:check
from fastapi.testclient import TestClient

both = asyncio.Barrier(2)


async def answer(request):
    kind, number = request.url.path.split("/")[1:]
    if number == "1":
        await both.wait()  # one request alone would wait in vain
    if number == "2":
        await asyncio.sleep(5)
    if number == "3" and kind == "rating":
        return httpx.Response(500)
    if number == "5":
        return httpx.Response(404)
    if number == "4":
        return httpx.Response(200, json=[])
    return httpx.Response(200, json={"name": "mug"} if kind == "details" else {"stars": 4.5})


services = httpx.AsyncClient(base_url="https://services.example.com", transport=httpx.MockTransport(answer))
with TestClient(app) as client:
    print(client.get("/products/1").json())
    print([client.get(f"/products/{number}").status_code for number in (2, 3, 4, 5)])
