# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/build/exporters/local-tar/ Local and tar exporters
# snippet:description Convert PNG pictures to WebP and WAV sounds to Opus, mixed down to mono, in two stages that are built at the
# snippet:description same time. While its sources and the tools stay the same, a stage comes from the cache. There must be at
# snippet:description least one picture and one sound.
# snippet:why A new sound does not convert the pictures again, and the other way round.
# snippet:about Docker
# snippet:needs Docker 23
# snippet:into Save it as Dockerfile in the folder that has assets/pictures and assets/sounds: docker build --output public/assets .
# Pictures and sounds, for the web and for games
FROM debian:12-slim AS tools
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ffmpeg webp \
 && rm -rf /var/lib/apt/lists/*

# Two stages that know nothing of each other are built at the same time.
FROM tools AS pictures
WORKDIR /out
COPY assets/pictures/ /in/
RUN for file in /in/*.png; do \
      cwebp -quiet -q 82 -metadata none "$file" -o "/out/$(basename "$file" .png).webp" || exit 1; \
    done

FROM tools AS sounds
WORKDIR /out
COPY assets/sounds/ /in/
RUN for file in /in/*.wav; do \
      ffmpeg -v error -i "$file" -ac 1 -c:a libopus "/out/$(basename "$file" .wav).ogg" || exit 1; \
    done

FROM scratch
COPY --from=pictures /out/ /pictures/
COPY --from=sounds /out/ /sounds/
