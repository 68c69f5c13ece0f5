# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/build/building/multi-stage/ Multi-stage builds
# snippet:description Check the format, lint, type-check and test with `docker build`, without installing the tools. The image
# snippet:description is built only when all of it passes, because it is copied from the test stage.
# snippet:about Docker
# snippet:needs Docker 23
# "docker build --target test ." is the whole check; nobody has to install the tools.
FROM python:3.13-slim-bookworm AS tools
RUN pip install --no-cache-dir ruff==0.12.11 mypy==1.17.1 yamllint==1.37.1

FROM tools AS lint
WORKDIR /src
COPY requirements.txt .
RUN --mount=type=cache,target=/root/.cache/pip pip install --requirement requirements.txt
# .dockerignore names .venv, whose YAML files are not yours to mend.
COPY . .
RUN ruff format --check --diff . && ruff check --output-format=full .
RUN --mount=type=cache,target=/src/.mypy_cache mypy --strict src
RUN yamllint --strict .

FROM lint AS test
RUN python -W error -m unittest discover --start-directory tests

FROM python:3.13-slim-bookworm AS release
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --requirement requirements.txt
# Copying from the test stage: without green tests there is no image.
COPY --from=test /src/src ./src
USER nobody
CMD ["python", "-m", "src"]
