# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/ Dockerfile reference
# snippet:about Docker
# snippet:needs Docker 23
# The bench, wherever the board is plugged in. It runs as you, or it could not write its report to your folder:
#   docker run --rm --user "$(id -u):$(id -g)" --group-add dialout --group-add plugdev \
#     --device /dev/ttyACM0 --device /dev/bus/usb -v "$PWD:/work" bench
FROM debian:12-slim

RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      openocd python3-pytest python3-pytest-timeout python3-serial tio usbutils \
 && rm -rf /var/lib/apt/lists/*

# Serial ports belong to dialout, debug probes (with the rules of the host) to plugdev: rights for these only.
# A host other than Debian or Ubuntu has other groups: give its numbers to --group-add.
RUN useradd --create-home --groups dialout,plugdev bench
USER bench
WORKDIR /work

ENV SERIAL_PORT=/dev/ttyACM0 BOARD_CONFIG=board/st_nucleo_f4.cfg
COPY --chmod=755 <<'SCRIPT' /usr/local/bin/bench
#!/bin/bash
set -euo pipefail
rm -f report.xml
openocd --file "$BOARD_CONFIG" --command "program firmware.elf verify reset exit"
exec pytest-3 tests/bench --timeout=60 --junit-xml=report.xml "$@"
SCRIPT

ENTRYPOINT ["bench"]
