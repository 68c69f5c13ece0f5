# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/#entrypoint ENTRYPOINT
# snippet:about Docker
# One run, one exit code: the platform's scheduler keeps the time, restarts and tells somebody.
FROM python:3.13-alpine

# Not BusyBox's flock, which has no -E; without tzdata TZ would mean UTC.
RUN apk add --no-cache flock tzdata && install -d -o nobody /state

WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --requirement requirements.txt
COPY report.py .

ENV PYTHONUNBUFFERED=1 TZ=Europe/Berlin
USER nobody

# TERM after 20 minutes, KILL half a minute later; flock refuses a second run on the same volume:
#   docker run --rm --init -v report-state:/state report
VOLUME /state
ENTRYPOINT ["flock", "-n", "-E", "75", "/state/report.lock", \
            "timeout", "-k", "30", "1200", "python", "report.py"]
CMD ["--period", "yesterday"]
