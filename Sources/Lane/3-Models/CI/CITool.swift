import LaneModel

/// A version of `lane` that the jobs of a package without `ci/lane` fetch, build and cache.
package struct CITool: Sendable {
    /// The directory of the sources, relative to the repository's root. All packages share it.
    static let directory = ".build/lane-source"

    let version: String
    let repository: String
    /// The SHA-256 of the release's archive for Linux on x86-64. Without it, jobs build `lane`.
    let sha256: String?

    /// - Parameters:
    ///   - version: The tag to fetch.
    ///   - repository: The address of the git repository that contains `ci/lane`.
    ///   - sha256: The SHA-256 of the release's archive for Linux on x86-64, if there is one.
    package init(version: String, repository: String, sha256: String? = nil) {
        self.version = version
        self.repository = repository
        self.sha256 = sha256
    }

    /// The command that installs `curl`, which the Swift images do not contain.
    static let curl =
        "command -v curl >/dev/null || "
        + "{ apt-get -qq update && apt-get -qq install --yes --no-install-recommends curl ca-certificates; }"

    /// Returns the command that runs `lane` in the package's directory.
    func command(in location: PackageLocation) -> String { "\(location.up)\(Self.directory)/ci/lane" }

    /// Returns the script that fetches `lane` unless it is cached. The script downloads the program if its checksum is
    /// known and the machine can run it; otherwise, the sources.
    func fetch(in location: PackageLocation) -> String {
        let directory = location.up + Self.directory
        let clone = "git -c advice.detachedHead=false clone --quiet --depth 1"
        let words = [version, repository, directory].map(ShellWords.quoted)
        let sources = "\(clone) --branch \(words.joined(separator: " "))"
        guard let sha256 else { return "[ -d \(directory) ] || \(sources)" }
        return """
            [ -d \(directory) ] || {
              \(program(sha256, in: directory).joined(separator: " &&\n  "))
            } || {
              rm -rf \(directory) \(directory).new
              \(sources)
            }
            """
    }

    /// Returns the commands that install the released program as `ci/lane`. They stop at the first failure.
    private func program(_ sha256: String, in directory: String) -> [String] {
        let base = repository.hasSuffix(".git") ? String(repository.dropLast(4)) : repository
        let name = "lane-\(version)-linux-x86_64"
        let archive = "\(directory).new/lane.tar.gz"
        let url = "\(base)/releases/download/\(version)/\(name).tar.gz"
        return [
            "[ \"$(uname -sm)\" = 'Linux x86_64' ]",
            "{ \(Self.curl); }",
            "mkdir -p \(directory).new/ci",
            "curl -fsSL --retry 3 -o \(archive) \(ShellWords.quoted(url))",
            "echo '\(sha256)  \(archive)' | sha256sum -c --quiet -",
            "tar -xzf \(archive) -C \(directory).new/ci --strip-components 2 \(ShellWords.quoted("\(name)/bin/lane"))",
            "rm \(archive)",
            "mv \(directory).new \(directory)",
        ]
    }
}
