# snippet:doc https://fastapi.tiangolo.com/tutorial/response-model/ Response model
# snippet:about FastAPI
# snippet:check
# snippet:prints {'name': 'Ada', 'email': 'ada@example.com'}
# snippet:prints ['email', 'name']
# snippet:end
from fastapi import FastAPI
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
    return USERS[number]  # a StoredUser, of which only the public part is sent


# snippet:check
from fastapi.testclient import TestClient
client = TestClient(app)
print(client.get("/users/1").json())
print(sorted(client.get("/openapi.json").json()["components"]["schemas"]["PublicUser"]["properties"]))
