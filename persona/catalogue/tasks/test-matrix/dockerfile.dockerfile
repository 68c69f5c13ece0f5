# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/build/building/variables/ Build variables
# snippet:why A version that nobody has on their desk is one argument away.
# snippet:description Run the tests on a version of Python that is an argument of the build, and get a JUnit report and the exit
# snippet:description status as files. The build goes on when a test fails, so that there is a report.
# rm -rf results; for v in 3.12 3.13 3.14; do docker build --build-arg PYTHON=$v --output results/$v .; done
# snippet:about Docker
# snippet:needs Docker 23
# snippet:into Save it as Dockerfile in the folder of the tests: docker build --output results .
ARG PYTHON=3.13
FROM python:${PYTHON}-slim-bookworm AS test

WORKDIR /src
COPY requirements-dev.txt .
RUN --mount=type=cache,target=/root/.cache/pip,sharing=locked \
    pip install --requirement requirements-dev.txt

COPY . .
# The report is wanted most when a test fails, so the build goes on and keeps the status.
RUN mkdir /results; \
    python -W error -m pytest --junit-xml=/results/junit.xml; \
    echo $? > /results/status

FROM scratch AS results
COPY --from=test /results/ /
