import OperatingSystem
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    @Suite("ci/install.sh installs a release, or changes nothing", .enabled(if: hasTool("curl") || hasTool("wget")))
    struct InstallerTests {
        private let directory = Result { try TemporaryDirectory() }

        @Test("The files of the archive replace older ones, and the script reports what it did")
        func installs() throws {
            let release = try Release(in: try directory.get())
            defer { release.server.stop() }
            let old = try directory.get().write("#!/bin/sh\necho old\n", to: "prefix/bin/lane", mode: 0o755)
            let run = try release.install()
            #expect(run.report.status == 0, "\(run.errorText)")
            let prefix = "\(try directory.get().path)/prefix"
            #expect(
                run.text == """
                    lane: downloading \(release.server.address)/team/lane/releases/download/9.9.9/\(release.name).tar.gz
                    lane: installed lane 9.9.9 as \(prefix)/bin/lane, with its manual page and completions in \(prefix)/share
                    lane: add it to your PATH: export PATH="\(prefix)/bin:$PATH"

                    """)
            #expect(try ChildRunner().capture(Command(old, ["version"], environment: [:])).text == "9.9.9\n")
            #expect(try readText("\(prefix)/share/man/man1/lane.1") == "manual\n")
            #expect(try listDirectory("\(prefix)/bin") == ["lane"])
        }

        @Test("The script of a release knows its address, version and checksums")
        func scriptOfARelease() throws {
            let release = try Release(in: try directory.get())
            defer { release.server.stop() }
            let script = try readText("\(repositoryRoot)/ci/install.sh")
                .split(separator: "@SHA256@").joined(separator: release.sum)
                .split(separator: "@ARCHIVE@").joined(separator: "\(release.name).tar.gz")
                .split(separator: "@VERSION@").joined(separator: "9.9.9")
                .split(separator: "@REPOSITORY@").joined(separator: "\(release.server.address)/team/lane.git")
            let path = try directory.get().write(script, to: "install.sh")
            let run = try release.install(path, environment: [:])
            #expect(run.report.status == 0, "\(run.errorText)")
        }

        private static let damaged = """
            the archive is damaged or was replaced; nothing was changed
            lane: expected SHA-256 <hash>
            lane: found            <hash>
            """

        @Test(
            "After a fault the old program is kept, and the script reports it",
            arguments: [
                (Fault.hangsUp, "could not download '<archive>'; nothing was changed"),
                (.missing, "could not download '<archive>'; nothing was changed"),
                (.truncated, damaged), (.wrongSum, damaged),
                (.doesNotRun, "lane does not run on this system; nothing was changed"),
                (.occupied, "'<tmp>/prefix/bin/lane' is a directory; nothing was changed"),
                (.unwritable, "could not write to '<tmp>/prefix'; set LANE_PREFIX to another directory"),
            ])
        func faults(_ fault: Fault, _ message: String) throws {
            let release = try Release(in: try directory.get(), fault)
            defer { release.server.stop() }
            let home = try directory.get()
            switch fault {
            case .occupied: try home.write("", to: "prefix/bin/lane/file")
            case .unwritable: try home.write("", to: "prefix")
            default: try home.write("old", to: "prefix/bin/lane")
            }
            let run = try release.install()
            #expect(run.report.status == 1)
            let archive = "\(release.server.address)/team/lane/releases/download/9.9.9/\(release.name).tar.gz"
            // The messages of curl and mkdir precede.
            let errors = redacted(run.errorText, replacing: [archive: "<archive>"]).split(separator: "\n")
            #expect(errors.filter { $0.hasPrefix("lane: ") }.joined(separator: "\n") == "lane: \(message)")
            switch fault {
            case .occupied, .unwritable: break
            default:
                #expect(try home.read("prefix/bin/lane") == "old")
                #expect(try listDirectory("\(home.path)/prefix") == ["bin"])
            }
        }

        @Test("The formula of a release is Ruby", .enabled(if: hasTool("ruby")))
        func formula() throws {
            var text = try readText("\(repositoryRoot)/ci/lane.rb")
            for (mark, value) in [
                ("VERSION", "9.9.9"), ("REPOSITORY", "https://host.test/team/lane.git"), ("MACHINE", "x86_64"),
                ("HOMEPAGE", "https://host.test/team/lane"), ("ARCHIVE", "lane.tar.gz"), ("SHA256", "00"),
                ("PROCESSOR", "intel"),
            ] { text = text.replacing("@\(mark)@", with: value) }
            #expect(!text.contains("@"))
            let path = try directory.get().write(text, to: "lane.rb")
            let run = try ChildRunner().capture(Command("ruby", ["-c", path], environment: plainEnvironment()))
            #expect(run.text == "Syntax OK\n", "\(run.errorText)")
        }

        @Test("The script in the repository asks for the version, and names a system without an archive")
        func incomplete() throws {
            let release = try Release(in: try directory.get())
            defer { release.server.stop() }
            // Beside ci/lane, the script would build lane.
            let path = try directory.get().write(try readText("\(repositoryRoot)/ci/install.sh"), to: "install.sh")
            #expect(
                try release.install(path, environment: [:]).errorText
                    == "lane: this is not the script of a release; set LANE_VERSION, LANE_REPOSITORY and LANE_SHA256\n")
            let unknown = try release.install(
                path, environment: ["LANE_VERSION": "9.9.9", "LANE_REPOSITORY": release.server.address])
            #expect(unknown.errorText.hasPrefix("lane: there is no archive '\(release.name).tar.gz' for this system\n"))
        }
    }
}

/// A fault of a download or of the target directory.
enum Fault: Sendable {
    case none, hangsUp, missing, truncated, wrongSum, doesNotRun, occupied, unwritable
}

/// A release on a loopback server.
struct Release {
    let server: LoopbackServer
    /// The name of the archive without its extension.
    let name: String
    let sum: String
    private let directory: TemporaryDirectory

    init(in directory: TemporaryDirectory, _ fault: Fault = .none) throws {
        self.directory = directory
        let platform = try Self.shell(
            "printf %s \"$(uname -s)-$(uname -m)\" | tr '[:upper:]' '[:lower:]'", directory.path
        )
        .split(separator: "aarch64").joined(separator: "arm64")
        name = "lane-9.9.9-\(platform.hasPrefix("darwin") ? "macos" + platform.dropFirst(6) : platform)"
        let status = fault == .doesNotRun ? 1 : 0
        try directory.write("#!/bin/sh\necho 9.9.9\nexit \(status)\n", to: "\(name)/bin/lane", mode: 0o755)
        try directory.write("manual\n", to: "\(name)/share/man/man1/lane.1")
        _ = try Self.shell("tar -czf lane.tar.gz \(name)", directory.path)
        let found = try Self.shell(
            "{ sha256sum lane.tar.gz || shasum -a 256 lane.tar.gz; } | cut -c 1-64", directory.path)
        sum = fault == .wrongSum ? String(repeating: "0", count: 64) : String(found.dropLast())
        let bytes = try readFile("\(directory.path)/lane.tar.gz")
        let path = "/team/lane/releases/download/9.9.9/\(name).tar.gz"
        server = try LoopbackServer { request in
            guard request.path == path, fault != .missing else { return LoopbackAnswer(404) }
            if fault == .hangsUp { return nil }
            return LoopbackAnswer(200, body: fault == .truncated ? Array(bytes.dropLast(9)) : bytes)
        }
        server.start()
    }

    /// Runs the installer of the repository with the version and checksum of this release.
    func install() throws -> CapturedRun {
        try install(
            "\(repositoryRoot)/ci/install.sh",
            environment: [
                "LANE_VERSION": "9.9.9", "LANE_SHA256": sum, "LANE_REPOSITORY": "\(server.address)/team/lane.git",
            ])
    }

    func install(_ script: String, environment: [String: String]) throws -> CapturedRun {
        let own = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory.path, "LANE_PREFIX": "\(directory.path)/prefix",
            "TMPDIR": directory.path,
        ]
        return try ChildRunner().capture(
            Command("sh", [script], environment: own.merging(environment) { $1 }, directory: directory.path))
    }

    private static func shell(_ script: String, _ directory: String) throws -> String {
        try ChildRunner().capture(
            Command(
                "sh", ["-euc", script], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], directory: directory)
        ).text
    }
}
