# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/build/building/multi-stage/ Multi-stage builds
# snippet:description Load schema and sample data while the image is built, so that each new container starts from the same rows.
# snippet:description They are in no volume: a new container is the reset.
# snippet:about Docker
# snippet:needs Docker 23
# A database that is full when it starts: the rows are loaded once, while the image is built.
FROM postgres:17.6-alpine AS loaded
ENV POSTGRES_HOST_AUTH_METHOD=trust POSTGRES_DB=shop PGDATA=/prepared
# They run in the order of their names: 01-tables.sql, 02-rows.sql …
COPY schema/*.sql sample-data/*.sql /docker-entrypoint-initdb.d/
# Let the entry point run the scripts, and leave before it would serve anybody.
RUN sed -i 's/^\([[:space:]]*\)exec "\$@"/\1exit 0/' /usr/local/bin/docker-entrypoint.sh \
 && docker-entrypoint.sh postgres

FROM postgres:17.6-alpine
# Not below a volume: each container starts from the same rows, and tests may break them.
ENV PGDATA=/prepared
COPY --from=loaded --chown=postgres:postgres --chmod=700 /prepared /prepared
USER postgres
HEALTHCHECK --interval=1s --retries=30 CMD ["pg_isready", "--dbname=shop"]
# For development only: quick, and nothing is worth keeping. Anybody who reaches it may log in:
# publish it with -p 127.0.0.1:5432:5432.
CMD ["postgres", "-c", "fsync=off", "-c", "log_min_duration_statement=100"]
