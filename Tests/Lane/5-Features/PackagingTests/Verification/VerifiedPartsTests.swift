import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Packaging

@Suite("Files of other machines", .startsPrograms) struct VerifiedPartsTests {
    /// A checkout with two parts in `.lane/parts`, their list, and the files of an earlier build in `dist`.
    static func make(signing configuration: String? = nil) throws -> ReleasedFiles {
        let files = try ReleasedFiles(signing: configuration)
        for platform in ["linux-x86_64", "macos-arm64"] {
            try files.writePart(platform, in: ".lane/parts/\(platform)")
        }
        try files.fixture.shell("cd .lane/parts; sha256sum */*.manifest.json > parts.sha256")
        return files
    }

    private static let values: [String: Value] = ["parts": .string(".lane/parts"), "sign": .bool(true)]

    @Test("Verified parts replace the build, and have one manifest each")
    func whole() throws {
        let files = try Self.make()
        let events = RecordedEvents()
        let result = try files.fixture.run(PackageAction(), Self.values, events: events)
        #expect(events.messages == ["verified 2 parts: 'linux-x86_64' and 'macos-arm64'"])
        #expect(result.outputs["archive"] == .string("dist/shape-0.2.0-linux-x86_64.tar.gz"))
        #expect(result.outputs["version"] == .string("0.2.0"))
        #expect(try files.verify(inCheckout: true).problems == [])
        let manifests = ReleaseManifest.all(in: files.directory)
        #expect(manifests.map(\.manifest.files.count) == [6, 6])
        #expect(try files.shell("ls | wc -l").hasSuffix("14"))
        // A part is the directory itself, too, and no list is needed.
        try files.fixture.shell("cd .lane/parts; mv */* .; rmdir */; rm parts.sha256 ../../dist/*")
        try files.fixture.run(PackageAction(), Self.values)
        #expect(ReleaseManifest.all(in: files.directory).map(\.manifest) == manifests.map(\.manifest))
    }

    @Test("One formula for all machines replaces those of the parts")
    func formula() throws {
        let files = try Self.make()
        let version = SemanticVersion(.zero, .zero, .zero).bumped(.minor).bumped(.minor)
        for platform in ["linux-x86_64", "macos-arm64"] {
            let archive = "shape-0.2.0-\(platform).tar.gz"
            let sum = try files.fixture.shell("sha256sum .lane/parts/\(platform)/\(archive)").prefix(64)
            try FormulaFile(
                settings: Settings(), context: files.fixture.context(), name: "Shape", version: version,
                directory: files.fixture.path
            ).write(
                archives: [(archive, String(sum))], program: "tool", in: ".lane/parts/\(platform)")
        }
        try files.fixture.shell("cd .lane/parts; sha256sum */*.manifest.json > parts.sha256; rm ../../dist/*")
        let formats = ["formats": Value.list([.string("formula")])]
        try files.fixture.run(PackageAction(), Self.values.merging(formats) { $1 })
        let formula = try files.fixture.read("dist/shape.rb")
        #expect(formula.contains("on_linux do") && formula.contains("on_macos do"), "\(formula)")
        #expect(formula.contains("assert_path_exists bin/\"tool\""))
        #expect(
            try files.shell("grep -o '[0-9a-f]\\{64\\}' shape.rb | sort")
                == files.shell("sha256sum *.tar.gz | cut -c 1-64 | sort"))
        #expect(try files.verify(inCheckout: true).problems == [])
        #expect(ReleaseManifest.all(in: files.directory).map(\.manifest.files.count) == [6, 6, 2])
        // Without the setting, there is none.
        try files.fixture.shell("rm dist/*")
        try files.fixture.run(PackageAction(), Self.values)
        #expect(try files.shell("ls | grep -c rb || true") == "0")
    }

    @Test("The machine with the key signs the checksums of all parts", .enabled(if: hasTool("ssh-keygen")))
    func signed() throws {
        let files = try Self.make(signing: SignatureTests.ssh)
        try files.fixture.run(PackageAction(), Self.values)
        let report = try files.verify()
        #expect(report.problems == [])
        #expect(report.rows[1].detail.contains("and 1 other checksum file"), "\(report.rows[1].detail)")
        #expect(ReleaseManifest.all(in: files.directory).map(\.manifest.files.count) == [7, 7])
    }

    /// A change of the parts, and the sentences about it.
    static let faults: [(script: String, sentences: [String])] = [
        (
            "rm -r macos-arm64",
            ["the part 'macos-arm64/<M>.manifest.json' is missing, but 'parts.sha256' lists it"]
        ),
        (
            "rm macos-arm64/$M.tar.gz",
            ["'macos-arm64/<M>.tar.gz' is missing, but 'macos-arm64/<M>.manifest.json' lists it"]
        ),
        ("printf x >> macos-arm64/$M.tar.gz", ["'macos-arm64/<M>.tar.gz' was changed: expected the SHA-256 "]),
        (
            "sed -i 's/\"size\": 5/\"size\": 6/; s/0.2.0\"/0.2.1\"/' macos-arm64/$M.manifest.json",
            [
                "the part 'macos-arm64/<M>.manifest.json' was changed: expected the SHA-256 ",
                "the part 'macos-arm64/<M>.manifest.json' is of version 0.2.1, not of 0.2.0",
            ]
        ),
        (
            "git commit -q --allow-empty -m More; git tag -f 0.2.0 > /dev/null",
            [
                "the part 'linux-x86_64/<L>.manifest.json' is of the commit <old>, not of <new>",
                "the part 'macos-arm64/<M>.manifest.json' is of the commit <old>, not of <new>",
            ]
        ),
        (
            "sed 's/\"0.2.0\"/\"0.1.0\"/; s/\"commit\": \"../\"commit\": \"00/' linux-x86_64/$L.manifest.json > linux-x86_64/old.manifest.json",
            [
                "the part 'linux-x86_64/old.manifest.json' is of version 0.1.0, not of 0.2.0\n",
                "hint: remove its files from the parts; 'dist' keeps those of earlier releases",
            ]
        ),
        (
            "cp -r macos-arm64 other",
            [
                "the part 'other/<M>.manifest.json' is not in 'parts.sha256'"
            ]
        ),
        ("echo more > linux-x86_64/more.txt", ["'linux-x86_64/more.txt' is not in the manifest of a part"]),
        (
            "cp linux-x86_64/$L.tar.gz macos-arm64/$M.tar.gz; \(again)",
            ["'<M>.intoto.json' is not the provenance of '<M>.tar.gz': expected the SHA-256 "]
        ),
        (
            "cp macos-arm64/* linux-x86_64; printf x >> linux-x86_64/$M.spdx.json; \(again)",
            ["'linux-x86_64/<M>.spdx.json' and 'macos-arm64/<M>.spdx.json' have the same name, but different contents"]
        ),
        (
            "echo '{}' > macos-arm64/$M.manifest.json; rm parts.sha256",
            ["'macos-arm64/<M>.manifest.json' is no manifest of 'package' or 'checksum'"]
        ),
        (
            "sed -i 's/shape-0.2.0-macos-arm64.tar.gz/..\\/x/' macos-arm64/$M.manifest.json; rm parts.sha256",
            ["'macos-arm64/<M>.manifest.json' is no manifest of 'package' or 'checksum'"]
        ),
        ("rm -r */", ["the part 'linux-x86_64/<L>.manifest.json' is missing, but 'parts.sha256' lists it"]),
        ("rm -r *", ["there is no part in '<D>': expected files '*.manifest.json'"]),
        ("cd ..; rm -r parts", ["there is no directory '.lane/parts' with parts"]),
        (
            "echo junk > parts.sha256",
            ["'parts.sha256' is no checksum file: expected lines in the format of 'sha256sum'"]
        ),
    ]

    /// Writes the digests of all files again, as someone who replaces files of a part would.
    private static let again = """
        for d in linux-x86_64 macos-arm64; do cd $d; for m in *.manifest.json; do for f in $(ls | grep -v manifest); do
        s=$(sha256sum $f | cut -c1-64); sed -i "/\\"name\\": \\"$f\\"/,/}/s/[0-9a-f]\\{64\\}/$s/" $m; done; done
        for s in *.sha256; do sha256sum $(cut -c67- $s) > ../t; mv ../t $s; n=$(sha256sum $s | cut -c1-64)
        sed -i "/\\"name\\": \\"$s\\"/,/}/s/[0-9a-f]\\{64\\}/$n/" *.manifest.json; done; cd ..; done
        sha256sum */*.manifest.json > parts.sha256
        """

    @Test("A part that is missing, changed or of another commit stops the release", arguments: faults)
    func stops(script: String, sentences: [String]) throws {
        let files = try Self.make()
        let old = try files.fixture.git("rev-parse --short=12 HEAD")
        let names = (linux: "shape-0.2.0-linux-x86_64", mac: "shape-0.2.0-macos-arm64")
        try files.fixture.shell("L=\(names.linux); M=\(names.mac); cd .lane/parts; \(script)")
        let before = try files.shell("ls")
        let failure = try #require(files.fixture.refusal(of: PackageAction(), Self.values))
        #expect(failure.status == ExitStatus.refused.rawValue)
        let new = try files.fixture.git("rev-parse --short=12 HEAD")
        for sentence in sentences {
            let expected = sentence.replacing("<L>", with: names.linux).replacing("<M>", with: names.mac)
                .replacing("<old>", with: old).replacing("<new>", with: new)
                .replacing("<D>", with: "\(files.fixture.path)/.lane/parts")
            #expect(failure.message.contains(expected), "\(failure.message)")
        }
        // Nothing was copied.
        #expect(try files.shell("ls") == before)
    }
}
