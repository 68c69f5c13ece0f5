# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/cli/docker/buildx/build/#target Build target
# snippet:title One Dockerfile for development and production
# snippet:description Build the image for development and the one for production from one file. The small one gets the built
# snippet:description files and the packages they need, and only after lint and tests have passed.
# snippet:why The same base for development and for production.
# snippet:about Docker
# snippet:needs Docker 23
# One file for both: "docker build --target development" and, without a target, the real thing.
FROM node:24-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

FROM base AS development
ENV NODE_ENV=development
RUN --mount=type=cache,target=/root/.npm npm ci
# .dockerignore names node_modules and .env.
COPY . .
CMD ["npm", "run", "dev"]

FROM development AS build
# For production: many bundlers build what NODE_ENV says, and here that is development.
RUN npm run lint && npm test && NODE_ENV=production npm run build

FROM base AS production
ENV NODE_ENV=production
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev
COPY --from=build /app/dist ./dist
USER node
EXPOSE 8080
CMD ["node", "dist/server.js"]
