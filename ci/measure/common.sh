# Sourced by the measurements: sets `program`, the optimized lane or the one that LANE names, and changes to an empty
# directory that is removed at the end. A limit that is exceeded sets `failed`.
# shellcheck shell=sh disable=SC2034,SC2154 # the scripts set root and use the variables
unset SWIFTPM_BUILD_DIR # SwiftPM prefers it to --scratch-path
[ -n "${LANE:-}" ] || LANE_OPTIMIZED=1 "$root/ci/lane" --version >/dev/null
program=${LANE:-$root/.build/lane-optimized/$(uname -s)-$(uname -m)/lane}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
ln -s "$program" lane
failed=0
compare() { "$root/ci/measure/compare" "$@" || failed=1; }
memory() { "$root/ci/measure/memory" "$@" || failed=1; }
# Runs a generator in ci/measure/inputs.
inputs() {
    generator=$1
    shift
    "$root/ci/measure/inputs/$generator" "$@"
}
