# lane, with all it needs to build and test Swift packages.
#
#   docker build -t lane .
#   docker run --rm --init -u "$(id -u):$(id -g)" -v "$PWD":/workspace -w /workspace lane test

FROM swift:6.3-bookworm AS toolchain
# The versions are those of the Debian release that the base image names.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends curl git libdeflate-dev libyaml-dev nettle-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*

FROM toolchain AS build
WORKDIR /src
COPY . .
RUN ci/lane --version && cp .build/lane/*/lane /usr/local/bin/lane

FROM toolchain
LABEL org.opencontainers.image.title="lane" \
      org.opencontainers.image.description="Build, test, bump, package and release Swift packages" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /usr/local/bin/lane /usr/local/bin/lane
# Any user may run this image on any checkout: there is a home for all, and git asks not whose the checkout is.
RUN mkdir -m 1777 /home/lane && git config --system --add safe.directory '*'
ENV HOME=/home/lane
# Products of this image stay apart from those of the host, which stand at another path.
ENV SWIFTPM_BUILD_DIR=.build/container
WORKDIR /workspace
USER 1000:1000
ENTRYPOINT ["lane"]
