# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/build/building/multi-stage/ Multi-stage builds
# snippet:about Docker
# snippet:needs Docker 23
# At least the version that go.mod names.
FROM --platform=$BUILDPLATFORM golang:1.26-alpine AS build
WORKDIR /src

# Dependencies change rarely: a step of their own, repeated when go.mod or go.sum changes. A
# module without any has no go.sum, and does without the step.
RUN --mount=type=bind,source=go.mod,target=go.mod \
    --mount=type=bind,source=go.sum,target=go.sum \
    --mount=type=cache,target=/go/pkg/mod \
    go mod download -x

ARG TARGETOS TARGETARCH VERSION=development
RUN --mount=type=bind,target=. \
    --mount=type=cache,target=/go/pkg/mod \
    --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags="-s -w -X main.version=$VERSION" -o /out/server ./cmd/server

# No shell, no package manager: the program, and whom it trusts.
FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/server /server
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/server"]
