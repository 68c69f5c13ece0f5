# snippet:doc https://fastapi.tiangolo.com/advanced/testing-dependencies/ Testing dependencies
# snippet:into Save it as test_clock.py: pip install "fastapi[standard]" pytest, then pytest
# snippet:about FastAPI
# snippet:needs FastAPI 0.95
# snippet:check
# snippet:prints 1 passed
# snippet:end
from datetime import datetime, timezone
from typing import Annotated

import pytest
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient

app = FastAPI()


def now() -> datetime:
    return datetime.now(timezone.utc)


@app.get("/greeting")
def greeting(now: Annotated[datetime, Depends(now)]):
    return "Good morning" if now.hour < 12 else "Good evening"


@pytest.fixture
def client():
    app.dependency_overrides[now] = lambda: datetime(2025, 3, 5, 8, 30, tzinfo=timezone.utc)
    yield TestClient(app)
    app.dependency_overrides.clear()


def test_mornings(client):
    assert client.get("/greeting").json() == "Good morning"


# snippet:check
if __name__ == "__main__":
    import contextlib
    import io
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = pytest.main(["-q", "-p", "no:cacheprovider", "main.py"])
    print(out.getvalue().strip().splitlines()[-1].split(",")[0].split(" in ")[0] if code == 0 else out.getvalue())
