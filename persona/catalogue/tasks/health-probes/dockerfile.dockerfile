# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/#healthcheck HEALTHCHECK
# snippet:title A health check for a slow starter
# snippet:why A process that runs is not yet one that answers.
# snippet:needs Docker 25
# snippet:description Ask the program whether it is ready: every two seconds while it starts, then every fifteen. In the first minute,
# snippet:description failures before the first success do not count; otherwise three in a row do. Docker marks the container as
# snippet:description unhealthy; it does not restart it.
# snippet:about Docker
FROM eclipse-temurin:21-jre-noble

WORKDIR /app
COPY --chown=nobody:nogroup target/app.jar ./
USER nobody

EXPOSE 8080

# The JVM needs a while: in the first minute, failures before the first success do not count.
HEALTHCHECK --interval=15s --timeout=3s --start-period=60s --start-interval=2s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 \
    && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 \
    && read -r _ status _ <&3 && [[ $status == 200 ]]"]

ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "app.jar"]
