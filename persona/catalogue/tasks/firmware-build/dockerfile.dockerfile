# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/build/exporters/local-tar/ Local and tar exporters
# snippet:about Docker
# snippet:needs Docker 23
# snippet:into Save it as Dockerfile beside CMakeLists.txt: docker build --output build .
# It leaves firmware.bin and its checksum in ./build, which .dockerignore names
FROM debian:12.11-slim AS toolchain
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      cmake gcc-arm-none-eabi libnewlib-arm-none-eabi ninja-build \
 && rm -rf /var/lib/apt/lists/*

FROM toolchain AS build
ARG BOARD=sensor-v2
# Neither the clock nor the folder should get into the image.
ARG SOURCE_DATE_EPOCH=0
WORKDIR /src
COPY . .
RUN CFLAGS=-ffile-prefix-map=/src=. cmake -B /build -G Ninja -DBOARD="$BOARD" \
      -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_TOOLCHAIN_FILE=cmake/arm-none-eabi.cmake \
 && cmake --build /build \
 && arm-none-eabi-size /build/firmware.elf

WORKDIR /out
RUN arm-none-eabi-objcopy --output-target=binary /build/firmware.elf firmware.bin \
 && sha256sum firmware.bin > firmware.bin.sha256

FROM scratch
COPY --from=build /out/ /
