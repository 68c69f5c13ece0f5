# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/ Dockerfile reference
# snippet:description A small machine with a compiler, Python, a database, an editor and the manual pages, for an ordinary
# snippet:description user. The limits on memory, processes and network are options of `docker run`; `--rm` throws it away.
# snippet:about Docker
# snippet:into Save it as `Dockerfile` beside a folder `exercises`, and build it: `docker build --tag sandbox .`
# snippet:needs Docker 23
# A place to try things: docker run --rm -it --memory 512m --pids-limit 100 --network none sandbox
# Not slim: those images leave the manual pages out.
FROM debian:12

RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      bash-completion gcc libc6-dev less make man-db manpages-dev nano python3 sqlite3 \
 && rm -rf /var/lib/apt/lists/*

RUN useradd --create-home --shell /bin/bash learner
USER learner
WORKDIR /home/learner

COPY --chown=learner exercises/ ./exercises/
COPY --chown=learner <<'WELCOME' .bash_profile
. /etc/bash_completion
PS1='\[\e[32m\]you\[\e[0m\]:\w\$ '
echo "Welcome! Exercises are in ./exercises, start with: less exercises/01-files.md"
echo "Try what you like: this machine is thrown away when you leave with Ctrl-D."
WELCOME

CMD ["bash", "--login"]
