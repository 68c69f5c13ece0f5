# snippet:doc https://fastapi.tiangolo.com/tutorial/response-model/ Response model
# snippet:about FastAPI
# snippet:needs FastAPI 0.89
# snippet:check
# snippet:prints {'name': 'Ada', 'email': 'ada@example.com'}
# snippet:prints ['email', 'name']
# snippet:prints 404
# snippet:end
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()


class PublicUser(BaseModel):
    name: str
    email: str


class StoredUser(PublicUser):
    password_hash: str
    failed_logins: int = 0


USERS = {1: StoredUser(name="Ada", email="ada@example.com", password_hash="$argon2id$...")}


@app.get("/users/{number}")
def user(number: int) -> PublicUser:
    if number not in USERS:
        raise HTTPException(404, "no such user")
    return USERS[number]  # a StoredUser, of which only the public part is sent


# snippet:check
from fastapi.testclient import TestClient
client = TestClient(app)
print(client.get("/users/1").json())
print(sorted(client.get("/openapi.json").json()["components"]["schemas"]["PublicUser"]["properties"]))
print(client.get("/users/2").status_code)
