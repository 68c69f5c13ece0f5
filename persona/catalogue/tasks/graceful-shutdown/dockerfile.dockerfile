# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/#entrypoint ENTRYPOINT
# snippet:about Docker
FROM ruby:3.4-slim-bookworm

# An init as process 1 passes signals on and collects orphaned children.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY Gemfile Gemfile.lock ./
RUN bundle config set --local deployment true && bundle install --jobs 4
COPY . .

USER nobody
# The signal this server takes as "finish your requests, then go".
STOPSIGNAL SIGTERM
# As a list: in the shell form /bin/sh would keep the signal to itself.
ENTRYPOINT ["tini", "-g", "--"]
CMD ["bundle", "exec", "puma", "--config", "config/puma.rb"]
