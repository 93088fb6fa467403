import OperatingSystem
import TestSupport

/// A checkout with the real `ci/lane`, small sources, and a fake `swift` that records its calls and builds a shell script.
struct FakeCheckout {
    private let directory: TemporaryDirectory
    /// A path with a space and a letter outside ASCII.
    let root: String

    init() throws {
        directory = try TemporaryDirectory()
        root = "\(directory.path)/a tr\u{E4}cer"
        let project = repositoryRoot
        try write(try readText("\(project)/ci/lane"), to: "ci/lane", mode: 0o755)
        try write("// a manifest\n", to: "Package.swift")
        try write("let a = 1\n", to: "Sources/Lane/main.swift")
        try write("let b = 1\n", to: "Sources/Tracer/Tracer/Tracer.swift")
        try write(Self.swift, to: "tools/swift", mode: 0o755)
        try write(Self.pkgConfig, to: "tools/pkg-config", mode: 0o755)
        // Tests must not install packages, as root or with sudo.
        for tool in ["apt-get", "sudo"] { try write("#!/bin/sh\nexit 1\n", to: "tools/\(tool)", mode: 0o755) }
    }

    func write(_ text: String, to path: String, mode: Int = 0o644) throws {
        try makeDirectories(parentDirectory("\(root)/\(path)"))
        try writeFile(text, to: "\(root)/\(path)", mode: mode)
    }

    func read(_ path: String) throws -> String { try readText("\(root)/\(path)") }

    /// The number of calls of `swift build`.
    var builds: Int {
        (try? read("builds"))?.split(separator: "\n").count ?? 0
    }

    func lane(_ arguments: String..., environment: [String: String] = [:]) async throws -> CapturedRun {
        try await run("\(root)/ci/lane", arguments, environment)
    }

    func shell(_ script: String, environment: [String: String] = [:]) async throws -> CapturedRun {
        try await run("/bin/sh", ["-euc", script], environment)
    }

    private func run(
        _ executable: String, _ arguments: [String], _ more: [String: String]
    ) async throws -> CapturedRun {
        var environment = plainEnvironment().merging(more) { $1 }
        environment["PATH"] = "\(root)/tools:" + (environment["PATH"] ?? "")
        environment["FAKE_LOG"] = "\(root)/builds"
        return try await capture(
            Command(executable, arguments, environment: environment, directory: root),
            limits: RunLimits(timeout: .seconds(60)))
    }

    private static let swift = """
        #!/bin/sh
        if [ "$1" = --version ]; then
            echo "Swift version ${FAKE_SWIFT_VERSION:-6.3.1} (made up)"
            exit "${FAKE_SWIFT_FAILS:-0}"
        fi
        echo build >>"$FAKE_LOG"
        [ -z "${FAKE_BUILD_FAILS:-}" ] || exit 1
        sleep "${FAKE_BUILD_SECONDS:-0}"
        while [ "$1" != --scratch-path ]; do shift; done
        # As SwiftPM does, which prefers the variable.
        scratch=${SWIFTPM_BUILD_DIR:-$2}/$4
        echo "$4 in $2" >>"$FAKE_LOG.directories"
        echo "${BUILD_LANE_COMMIT-none}" >>"$FAKE_LOG.commits"
        mkdir -p "$scratch"
        cat >"$scratch/lane" <<'END'
        #!/bin/sh
        case "$*" in
        *where) echo "in $(pwd -P)"; exit ;;
        repository) echo "${LANE_REPOSITORY:-none}"; exit ;;
        esac
        # In one write, so that the lines of calls at the same time stay whole.
        echo "ran$(printf ' <%s>' "$@")"
        exit 7
        END
        chmod +x "$scratch/lane"

        """

    private static let pkgConfig = """
        #!/bin/sh
        [ "$1" != --variable=libdir ] || exit 0
        [ "$2" != "${FAKE_MISSING:-}" ]

        """
}
