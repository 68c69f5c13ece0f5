# snippet:doc https://fastapi.tiangolo.com/advanced/events/ Lifespan events
# snippet:about FastAPI
# snippet:needs FastAPI 0.94
# snippet:check
# snippet:prints loaded
# snippet:prints {'label': 'spam'}
# snippet:prints released
# snippet:end
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request


class Model:
    def __init__(self):
        print("loaded")

    def label(self, text: str) -> str:
        return "spam" if "win" in text.lower() else "ham"

    def close(self):
        print("released")


@asynccontextmanager
async def lifespan(app: FastAPI):
    model = Model()  # slow: once, before the first request
    try:
        yield {"model": model}
    finally:
        model.close()


app = FastAPI(lifespan=lifespan)


@app.get("/label")
def label(request: Request, text: str):
    return {"label": request.state.model.label(text)}


# snippet:check
from fastapi.testclient import TestClient
with TestClient(app) as client:
    print(client.get("/label", params={"text": "Win a prize"}).json())
