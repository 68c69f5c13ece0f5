# snippet:doc https://fastapi.tiangolo.com/tutorial/dependencies/ Dependencies
# snippet:about FastAPI
# snippet:needs FastAPI 0.95
# snippet:check
# snippet:prints {'items': ['c', 'd'], 'next': 4}
# snippet:prints {'items': ['e'], 'next': None}
# snippet:prints 422
# snippet:end
from typing import Annotated

from fastapi import Depends, FastAPI, Query
from pydantic import BaseModel

app = FastAPI()
ITEMS = ["a", "b", "c", "d", "e"]


class Page(BaseModel):
    offset: int
    limit: int


def page(offset: Annotated[int, Query(ge=0)] = 0, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> Page:
    return Page(offset=offset, limit=limit)


Paged = Annotated[Page, Depends(page)]


@app.get("/items")
def items(page: Paged):
    end = page.offset + page.limit
    return {"items": ITEMS[page.offset : end], "next": end if end < len(ITEMS) else None}


# snippet:check
from fastapi.testclient import TestClient
client = TestClient(app)
print(client.get("/items?offset=2&limit=2").json())
print(client.get("/items?offset=4").json())
print(client.get("/items?limit=1000").status_code)
