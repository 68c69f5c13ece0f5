# snippet:doc https://fastapi.tiangolo.com/tutorial/body/ Request body
# snippet:about FastAPI
# snippet:check
# snippet:prints {'total_cents': 900}
# snippet:prints 422 ['body.lines.0.quantity', 'body.lines.0.gift', 'body.coupon']
# snippet:end
from fastapi import FastAPI
from pydantic import BaseModel, Field

app = FastAPI()


class Line(BaseModel, extra="forbid"):  # a misspelt field is an error, not silence
    sku: str = Field(pattern=r"^[A-Z]{3}-[0-9]+$")
    quantity: int = Field(ge=1, le=99)
    price_cents: int = Field(gt=0)  # money is never a float


class Order(BaseModel, extra="forbid"):
    lines: list[Line] = Field(min_length=1)


@app.post("/orders")
def price(order: Order) -> dict[str, int]:
    return {"total_cents": sum(line.quantity * line.price_cents for line in order.lines)}


# snippet:check
from fastapi.testclient import TestClient
client = TestClient(app)
line = {"sku": "MUG-1", "quantity": 2, "price_cents": 450}
print(client.post("/orders", json={"lines": [line]}).json())
wrong = client.post("/orders", json={"lines": [line | {"quantity": 0, "gift": 1}], "coupon": "x"})
print(wrong.status_code, [".".join(map(str, e["loc"])) for e in wrong.json()["detail"]])
