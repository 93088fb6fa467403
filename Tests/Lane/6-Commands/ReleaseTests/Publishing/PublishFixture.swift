import ActionFixtures
import Actions
import Archives
import Expressions
import LaneModel
import OperatingSystem
import Synchronization
import TestSupport

@testable import Packaging
@testable import Release

/// A tagged repository with three files in `dist`, and a simulation of GitHub that contains the tag.
struct PublishFixture {
    let repository: GitFixture
    let gitHub: FakeGitHub
    let events = RecordedEvents()
    /// The total time of pauses.
    let waits = Waits()

    final class Waits: Sendable {
        private let state = Mutex<[Duration]>([])
        var all: [Duration] { state.withLock { $0 } }

        func add(_ time: Duration) { state.withLock { $0.append(time) } }
    }

    static let files = ["sample-0.2.0-linux.tar.gz", "sample-0.2.0-linux.tar.gz.sha256", "sample-0.2.0.json"]

    /// Another simulation of GitHub for the same repository.
    init(_ repository: GitFixture) throws {
        self.repository = repository
        gitHub = try FakeGitHub()
        gitHub.state.tags["0.2.0"] = try repository.git("rev-parse refs/tags/0.2.0")
    }

    init() throws {
        let repository = try GitFixture("sample")
        try repository.write("# Changelog\n\n## [0.2.0] - 2026-11-21\n\n### Added\n\n- Corners\n", to: "CHANGELOG.md")
        try repository.commit("Begin")
        try repository.git("tag -a 0.2.0 -m 'Release 0.2.0'")
        try repository.shell(
            """
            mkdir dist; cd dist
            echo archive > sample-0.2.0-linux.tar.gz; echo '{}' > sample-0.2.0.json
            sha256sum sample-0.2.0-linux.tar.gz > sample-0.2.0-linux.tar.gz.sha256
            echo old > sample-0.1.0-linux.tar.gz; echo candidate > sample-0.2.0-rc.1-linux.tar.gz
            """)
        try repository.git("tag 0.2.0-rc.1; git tag 0.1.0")
        try Self.vouch(for: Self.files, in: repository)
        try self.init(repository)
    }

    /// Lists files in a manifest as `package` does.
    static func vouch(
        for files: [String], in repository: GitFixture, version: String = "0.2.0", changes: [String] = []
    ) throws {
        let listed = try files.map { name in
            let bytes = Array(try repository.read("dist/\(name)").utf8)
            return ReleaseManifest.File(name: name, size: bytes.count, sha256: SHA256.digest(of: bytes).description)
        }
        let manifest = ReleaseManifest(
            version: version, commit: try repository.git("rev-parse HEAD"), changes: changes, files: listed)
        try repository.write(
            String(decoding: manifest.bytes, as: UTF8.self), to: "dist/sample-\(version).manifest.json")
    }

    @discardableResult
    func publish(
        _ settings: [String: Value] = [:], environment: [String: String] = [:], now: Double = GitFixture.now
    ) throws -> StepResult {
        let environment = gitHub.environment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
        return try repository.run(
            PublishAction(), settings.merging(["to": .string("github")]) { $1 }, events: events,
            environment: environment, now: now,
            wait: { [waits] time in
                waits.add(time)
                return false
            })
    }

    func refusal(_ settings: [String: Value] = [:], environment: [String: String] = [:]) -> OperationFailure? {
        do {
            try publish(settings, environment: environment)
            return nil
        } catch {
            return error as? OperationFailure
        }
    }

    var release: FakeGitHub.Release? { gitHub.state.releases.first { $0.tag == "0.2.0" } }

    /// Replaces the bytes of the uploaded archive with others of the same length.
    func spoilArchive() throws {
        for index in gitHub.state.releases[0].assets.indices
        where gitHub.state.releases[0].assets[index].name == Self.files[0] {
            gitHub.state.releases[0].assets[index].content = Array("ARCHIVE\n".utf8)
        }
    }

    /// A Boolean value that indicates whether there is exactly one published release with exactly these files.
    var isWhole: Bool {
        get throws {
            guard let release, gitHub.state.releases.count == 1, !release.isDraft else { return false }
            let mine = try Self.files.map { name in
                FakeFile(name: name, content: Array(try repository.read("dist/\(name)").utf8))
            }
            return release.assets.map { FakeFile(name: $0.name, content: $0.content) }.sorted() == mine.sorted()
                && release.assets.allSatisfy(\.isUploaded)
        }
    }
}

struct FakeFile: Comparable {
    let name: String
    let content: [UInt8]

    static func < (one: FakeFile, other: FakeFile) -> Bool { one.name < other.name }
}
