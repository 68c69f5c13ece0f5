# snippet:doc https://fastapi.tiangolo.com/reference/security/ Security tools
# snippet:about FastAPI
# snippet:needs Python 3.10, FastAPI 0.95
# snippet:check
# snippet:prints 200 {'user': 'ada'}
# snippet:prints 401 Bearer error="invalid_token"
# snippet:prints 401
# snippet:end
import hashlib
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

app = FastAPI()
USERS_BY_TOKEN_HASH: dict[str, str] = {}  # in earnest: an indexed column
bearer = HTTPBearer(auto_error=False)


def current_user(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str:
    if credentials is None:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    digest = hashlib.sha256(credentials.credentials.encode()).hexdigest()
    if (user := USERS_BY_TOKEN_HASH.get(digest)) is None:
        raise HTTPException(401, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
    return user


@app.get("/me")
def me(user: Annotated[str, Depends(current_user)]):
    return {"user": user}


# snippet:check
from fastapi.testclient import TestClient
USERS_BY_TOKEN_HASH[hashlib.sha256(b"secret-token").hexdigest()] = "ada"
client = TestClient(app)
good = client.get("/me", headers={"Authorization": "Bearer secret-token"})
print(good.status_code, good.json())
wrong = client.get("/me", headers={"Authorization": "Bearer other"})
print(wrong.status_code, wrong.headers["www-authenticate"])
print(client.get("/me").status_code)
