# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/build/exporters/local-tar/ Local and tar exporters
# snippet:about Docker
# snippet:needs Docker 23
# snippet:into Save it as Dockerfile beside Cargo.toml: docker build --platform linux/amd64 --build-arg VERSION=1.4.2 --output dist .
# It leaves a Debian package and its checksum in ./dist
FROM rust:1.89-slim-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY src/ src/
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked && install -D target/release/notes /pkg/usr/bin/notes

FROM build AS package
ARG VERSION
WORKDIR /pkg
COPY <<CONTROL DEBIAN/control
Package: notes
Version: ${VERSION}
Architecture: amd64
Maintainer: Notes team <notes@example.com>
Depends: libc6 (>= 2.36)
Description: Plain text notes that are found again
CONTROL

WORKDIR /dist
RUN : "${VERSION:?is missing: --build-arg VERSION=1.4.2}" \
    && dpkg-deb --root-owner-group --build /pkg "notes_${VERSION}_amd64.deb" \
    && sha256sum -- *.deb > SHA256SUMS

FROM scratch
COPY --from=package /dist/ /
