# snippet:doc https://fastapi.tiangolo.com/tutorial/body/ Request body
# snippet:about FastAPI
# snippet:needs Pydantic 2
# snippet:check
# snippet:prints {'total_grams': 900}
# snippet:prints 422 ['body.lines.0.quantity', 'body.lines.0.gift', 'body.coupon']
# snippet:end
from fastapi import FastAPI
from pydantic import BaseModel, Field

app = FastAPI()


class Line(BaseModel, extra="forbid", strict=True):  # a misspelt field is an error, and so is "2" for 2
    sku: str = Field(pattern=r"^[A-Z]{3}-[0-9]+$")
    quantity: int = Field(ge=1, le=99)
    weight_grams: int = Field(gt=0)  # whole grams, never a float


class Order(BaseModel, extra="forbid", strict=True):
    lines: list[Line] = Field(min_length=1)


@app.post("/orders")
def total_weight(order: Order) -> dict[str, int]:
    return {"total_grams": sum(line.quantity * line.weight_grams for line in order.lines)}


# snippet:check
from fastapi.testclient import TestClient
client = TestClient(app)
line = {"sku": "MUG-1", "quantity": 2, "weight_grams": 450}
print(client.post("/orders", json={"lines": [line]}).json())
wrong = client.post("/orders", json={"lines": [line | {"quantity": 0, "gift": 1}], "coupon": "x"})
loose = [client.post("/orders", json={"lines": [line | odd]}).status_code
         for odd in ({"quantity": "2"}, {"quantity": True}, {"weight_grams": 450.0})]
assert loose == [422] * 3, loose
print(wrong.status_code, [".".join(map(str, e["loc"])) for e in wrong.json()["detail"]])
