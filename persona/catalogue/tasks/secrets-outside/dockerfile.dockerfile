# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/build/building/secrets/ Build secrets
# snippet:into Save it as Dockerfile in the application's folder: docker build --secret id=npmrc,src=$HOME/.npmrc .
# snippet:about Docker
# snippet:needs Docker 23
FROM node:24-bookworm-slim AS build
WORKDIR /app

COPY package.json package-lock.json ./
# Mounted for this one command. With COPY or ARG the token would stay in a layer or in the history.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc,required=true \
    npm ci --omit=dev

# .dockerignore names what stays outside: .npmrc, .env, node_modules.
COPY . .

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build --chown=node:node /app ./
USER node

# At run time the secret is a file too: its path may be seen, its content is not.
CMD ["node", "server.js", "--database-password-file=/run/secrets/database_password"]
