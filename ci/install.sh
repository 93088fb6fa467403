#!/bin/sh
# Installs lane from a release: verifies the SHA-256 of the archive, unpacks it and copies its files. In a checkout, builds
# the optimized program first.
#
#   curl -fsSL ADDRESS/releases/download/VERSION/install.sh | sh
#   ci/install.sh
#
# The copy of this script in a release contains the address, the version and the checksums. These variables override them:
#
#   LANE_PREFIX       the directory to install to instead of ~/.local; nothing outside of it is written
#   LANE_REPOSITORY   the address of the repository
#   LANE_VERSION      another version, with its checksum:
#   LANE_SHA256       the SHA-256 of the archive for this system
set -eu

say() { printf 'lane: %s\n' "$*"; }
stop() {
    printf 'lane: %s\n' "$@" >&2
    exit 1
}

known_sums() {
    cat <<'END'
@SHA256@  @ARCHIVE@
END
}

platform() {
    system=$(uname -s | tr '[:upper:]' '[:lower:]')
    machine=$(uname -m)
    [ "$machine" != aarch64 ] || machine=arm64
    [ "$system" != darwin ] || system=macos
    echo "$system-$machine"
}

download() {
    if command -v curl >/dev/null; then
        curl -fsSL --retry 2 --connect-timeout 20 -o "$2" "$1"
    elif command -v wget >/dev/null; then
        wget -q -T 20 -t 3 -O "$2" "$1"
    else
        stop 'curl or wget is needed to download; nothing was changed'
    fi
}

sum_of() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -c 1-64
}

# Writes a new file and renames it, so that a running lane is not disturbed and no partial file remains.
put() {
    mkdir -p "${2%/*}" && cp "$1" "$2.new" && chmod "$3" "$2.new" && mv -f "$2.new" "$2"
}

# Builds the program of this checkout, and installs it with its manual page and completions.
build_and_install() {
    prefix=${LANE_PREFIX:-${HOME:?}/.local}
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    LANE_OPTIMIZED=1 "$1/lane" version >"$work/version" || stop 'lane does not build; nothing was changed'
    program=$1/../.build/lane-optimized/$(uname -s)-$(uname -m)/lane
    for shell in bash zsh fish; do "$program" completions "$shell" >"$work/$shell"; done
    "$program" help --format man >"$work/man"
    put "$work/man" "$prefix/share/man/man1/lane.1" 644 &&
        put "$work/bash" "$prefix/share/bash-completion/completions/lane" 644 &&
        put "$work/zsh" "$prefix/share/zsh/site-functions/_lane" 644 &&
        put "$work/fish" "$prefix/share/fish/vendor_completions.d/lane.fish" 644 &&
        put "$program" "$prefix/bin/lane" 755 || unwritable=1
    [ -z "${unwritable:-}" ] || stop "could not write to '$prefix'; set LANE_PREFIX to another directory"
    report "$(cat "$work/version")"
}

report() {
    say "installed lane $1 as $prefix/bin/lane, with its manual page and completions in $prefix/share"
    case :$PATH: in
    *:"$prefix/bin":*) say "try it in a Swift package: lane test" ;;
    *) say "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
    esac
}

main() {
    case $0 in
    */install.sh)
        if [ -z "${LANE_VERSION:-}" ] && [ -x "${0%/*}/lane" ] && [ -f "${0%/*}/../Package.swift" ]; then
            build_and_install "${0%/*}"
            return
        fi
        ;;
    esac
    version=${LANE_VERSION:-@VERSION@}
    repository=${LANE_REPOSITORY:-@REPOSITORY@}
    prefix=${LANE_PREFIX:-${HOME:?}/.local}
    case $version$repository in
    *@*@*) stop 'this is not the script of a release; set LANE_VERSION, LANE_REPOSITORY and LANE_SHA256' ;;
    esac
    name=lane-$version-$(platform)
    sum=${LANE_SHA256:-$(known_sums | sed -n "s/^\([0-9a-f]*\)  $name.tar.gz\$/\1/p")}
    [ -n "$sum" ] || stop "there is no archive '$name.tar.gz' for this system" \
        "build lane from $repository instead: ci/lane version"

    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    url=${repository%.git}/releases/download/$version/$name.tar.gz
    say "downloading $url"
    download "$url" "$work/lane.tar.gz" || stop "could not download '$url'; nothing was changed"
    found=$(sum_of "$work/lane.tar.gz")
    [ "$found" = "$sum" ] || stop "the archive is damaged or was replaced; nothing was changed" \
        "expected SHA-256 $sum" "found            $found"
    tar -xzf "$work/lane.tar.gz" -C "$work" || stop 'could not unpack the archive; nothing was changed'
    "$work/$name/bin/lane" version >/dev/null || stop "lane does not run on this system; nothing was changed"

    [ ! -d "$prefix/bin/lane" ] || stop "'$prefix/bin/lane' is a directory; nothing was changed"
    # The program comes last, so that its presence means that the installation is complete.
    (cd "$work/$name" && find share -type f) | while IFS= read -r file; do
        put "$work/$name/$file" "$prefix/$file" 644 || exit 1
    done || stop "could not write to '$prefix'; set LANE_PREFIX to another directory"
    put "$work/$name/bin/lane" "$prefix/bin/lane" 755 ||
        stop "could not write to '$prefix/bin'; set LANE_PREFIX to another directory"
    report "$version"
}

# The last line starts the script, so that a partial download does nothing.
main
