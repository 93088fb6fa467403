# lane, with all it needs to build and test Swift packages.
#
#   docker build -t lane .
#   docker run --rm --init -u "$(id -u):$(id -g)" -v "$PWD":/workspace -w /workspace lane test

FROM swift:6.3-bookworm AS toolchain
# The versions are those of the Debian release that the base image names.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends curl elfutils git libdeflate-dev libyaml-dev nettle-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*

# Copies only the files that the program is built from, so that other edits do not build it again.
FROM toolchain AS build
WORKDIR /src
COPY Package.swift ./
# The manifest names the tests, which must exist and may be empty.
# hadolint ignore=SC2046
RUN mkdir -p $(sed -n 's/^[^"]*"\([A-Za-z]*Tests\|TestSupport\|ReleaseFixtures\)".*/Tests\/\1/p' Package.swift)
COPY ci/lane ci/
COPY Sources Sources
ARG SOURCE=""
RUN LANE_REPOSITORY="$SOURCE" ci/lane --version && cp .build/lane/*/lane /usr/local/bin/lane

FROM toolchain
COPY --from=build /usr/local/bin/lane /usr/local/bin/lane
# Lets any user run this image on any checkout: one home for all, and git does not ask who owns a checkout.
RUN mkdir -m 1777 /home/lane && git config --system --add safe.directory '*'
ENV HOME=/home/lane
# Keeps products of this image apart from those of the host, which lie at another path.
ENV SWIFTPM_BUILD_DIR=.build/container
WORKDIR /workspace
USER 1000:1000
ENTRYPOINT ["lane"]
# docker build --build-arg REVISION="$(git rev-parse HEAD)" --build-arg VERSION="$(ci/lane --version)" …
ARG SOURCE=""
ARG REVISION=""
ARG VERSION=""
LABEL org.opencontainers.image.title="lane" \
      org.opencontainers.image.description="Build, test, bump, package and release Swift packages" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.version="$VERSION"
