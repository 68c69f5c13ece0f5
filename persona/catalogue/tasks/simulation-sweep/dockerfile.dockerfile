# syntax=docker/dockerfile:1
# snippet:title An image that runs each combination
# snippet:description An image whose arguments are the parameters of a simulation, so that each combination is a run of its own. The
# snippet:description results land in a folder of the host, and the program can note in them which revision it was.
# snippet:doc https://docs.docker.com/reference/dockerfile/#entrypoint ENTRYPOINT
# snippet:about Docker
# snippet:needs Docker 23
# Settings are arguments, so that one image runs every combination:
#   mkdir -p results
#   docker run --rm --user "$(id -u)" -v "$PWD/results:/results" lab/pendulum --damping 0.1 --seed 7
FROM python:3.13-slim-bookworm AS build
WORKDIR /build
COPY pyproject.toml README.md ./
COPY src/ src/
RUN --mount=type=cache,target=/root/.cache/pip \
    pip wheel --wheel-dir /wheels --constraint src/constraints.txt .

FROM python:3.13-slim-bookworm
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels pendulum-lab

# Which code this is, for the program to write into its results.
ARG REVISION=unknown
LABEL org.opencontainers.image.revision=$REVISION
ENV LAB_REVISION=$REVISION OMP_NUM_THREADS=1

USER 1000:1000
WORKDIR /results
ENTRYPOINT ["pendulum-lab", "--output-folder", "/results"]
CMD ["--help"]
