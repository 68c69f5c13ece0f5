# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/#stopsignal STOPSIGNAL
# snippet:about Docker
# docker run -d --name world -p 30000:30000/udp -v world:/world --restart unless-stopped game
FROM debian:12-slim

RUN apt-get update \
 && apt-get install --yes --no-install-recommends minetest-server tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --create-home player \
 && install --directory --owner=player /world

COPY minetest.conf /etc/minetest.conf
# Among those of the game, which are always loaded.
COPY mods/ /usr/share/games/minetest/games/minetest_game/mods/

USER player
VOLUME /world
EXPOSE 30000/udp
# Interrupt means "save the world and say goodbye" to this server.
STOPSIGNAL SIGINT
# Not /usr/games/minetestserver, which logs to a file that only Debian's own user may write.
ENTRYPOINT ["tini", "--", "/usr/lib/minetest/minetestserver"]
CMD ["--config", "/etc/minetest.conf", "--world", "/world"]
