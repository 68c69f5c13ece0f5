# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/build/building/best-practices/#user Building best practices: USER
# snippet:description Run as a numbered user that is not root and cannot change its own code, and install only packages whose hash
# snippet:description is on the list. The read-only file system and the dropped capabilities are options of `docker run`.
# snippet:about Docker
FROM python:3.13-slim-bookworm

# A fixed number, so that an orchestrator can tell it is not root without starting it.
RUN groupadd --gid 10001 app \
 && useradd --uid 10001 --gid app --no-create-home --shell /usr/sbin/nologin app

WORKDIR /app
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1

COPY requirements.txt .
# Every package must be the very file whose hash is on the list.
RUN pip install --require-hashes --only-binary :all: --requirement requirements.txt

# Owned by root: the app can read its own code but not change it.
COPY src/ ./src/
RUN chmod -R u=rwX,go=rX src

USER 10001:10001
EXPOSE 8080
# For a read-only root file system: docker run --read-only --tmpfs /tmp --cap-drop ALL …
CMD ["python", "-m", "src.server"]
