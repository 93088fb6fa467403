# lane with a Swift toolchain, to build and test Swift packages.
#
#   docker build -t lane .
#   docker run --rm --init -u "$(id -u):$(id -g)" -v "$PWD":/workspace -w /workspace lane test

FROM swift:6.3-bookworm AS toolchain
# The Debian release of the base image determines the versions.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends curl elfutils git libdeflate-dev libyaml-dev nettle-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*

# Copies only the sources of the program, so that other changes cause no build.
FROM toolchain AS build
WORKDIR /src
COPY Package.swift ./
# The manifest requires the directories of the tests, which may be empty.
# hadolint ignore=DL4006
RUN swift package dump-package | sed -n 's/^ *"path" : "\(Tests.*\)",*$/\1/p' | tr -d '\134' | xargs mkdir -p
COPY ci/lane ci/
COPY Sources Sources
ARG SOURCE=""
ARG REVISION=""
# hadolint ignore=DL4006
RUN LANE_OPTIMIZED=1 LANE_REPOSITORY="$SOURCE" LANE_COMMIT="$(echo "$REVISION" | cut -c 1-10)" ci/lane --version \
    && cp .build/lane-optimized/*/lane /usr/local/bin/lane

FROM toolchain
COPY --from=build /usr/local/bin/lane /usr/local/bin/lane
# Lets any user run the image on any checkout: all users share one home, and git trusts every checkout.
RUN mkdir -m 1777 /home/lane && git config --system --add safe.directory '*'
ENV HOME=/home/lane
# Keeps the build products of this image apart from those of the host.
ENV SWIFTPM_BUILD_DIR=.build/container
WORKDIR /workspace
USER 1000:1000
ENTRYPOINT ["lane"]
# docker build --build-arg REVISION="$(git rev-parse HEAD)" --build-arg VERSION="$(ci/lane version)" …
ARG SOURCE=""
ARG REVISION=""
ARG VERSION=""
LABEL org.opencontainers.image.title="lane" \
      org.opencontainers.image.description="Build, test, bump, package and release Swift packages" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.version="$VERSION"
