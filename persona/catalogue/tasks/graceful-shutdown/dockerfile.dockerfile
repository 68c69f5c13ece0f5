# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/#entrypoint ENTRYPOINT
# snippet:title A container that passes stop signals on
# snippet:description Run an init as process 1 and the server as a list of arguments, so that the stop signal reaches the server
# snippet:description and it can finish its requests. How long it may take is for whoever stops the container to say.
FROM ruby:3.4-bookworm AS gems
WORKDIR /app
ENV BUNDLE_DEPLOYMENT=1
COPY Gemfile Gemfile.lock ./
# With the compilers of the large image: puma is partly C.
RUN bundle install --jobs 4
# snippet:about Docker

FROM ruby:3.4-slim-bookworm
# An init as process 1 passes signals on and collects orphaned children.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /app
# In both stages: it puts the gems into vendor/bundle, and looks for them there.
ENV BUNDLE_DEPLOYMENT=1
COPY --from=gems /app ./
# .dockerignore names vendor/bundle: gems of another system would replace these.
COPY . .

USER nobody
# The signal this server takes as "finish your requests, then go".
STOPSIGNAL SIGTERM
# As a list: without a shell that could keep the signal to itself.
ENTRYPOINT ["tini", "--"]
CMD ["bundle", "exec", "puma", "--config", "config/puma.rb"]
