# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/build/building/multi-stage/ Multi-stage builds
# snippet:why The site and the server that delivers it are one image.
# snippet:title Build a static site and its server
# snippet:description Build a static site, and put its files into an image with the web server that delivers them. HTML, CSS,
# snippet:description JavaScript and SVG files above 1 KiB are compressed once, while the image is built.
# snippet:about Docker
# snippet:needs Docker 23
FROM node:24-alpine AS site
WORKDIR /site
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci
# .dockerignore names node_modules and dist.
COPY . .
RUN npm run build

# Compress once here and not for every visitor.
RUN find dist -type f -size +1k \
      \( -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.svg' \) \
      -exec gzip -9 -kf {} +

FROM caddy:2.11-alpine
COPY --from=site /site/dist /srv
COPY <<'CADDYFILE' /etc/caddy/Caddyfile
:8080 {
	root * /srv
	# the names in assets/ have to change with the content; a 404 is not kept
	@assets {
		path /assets/*
		file
	}
	header @assets Cache-Control "public, max-age=31536000, immutable"
	file_server {
		precompressed gzip
	}
}
CADDYFILE

EXPOSE 8080
