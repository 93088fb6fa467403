import ActionFixtures
import Archives
import Expressions
import LaneModel
import OperatingSystem
import SwiftPackages
import TestSupport
import Testing
import Text

@testable import Packaging

@Suite(.startsPrograms) struct ToolPackagesTests {
    private static func record(_ version: String, name: String = "Shape_Tools") -> PackageRecord {
        PackageRecord(
            name: name, version: SemanticVersion(version) ?? SemanticVersion(.zero, .zero, .zero),
            base: "shape-\(version)", time: 1_700_000_000, commit: "abc", origin: "https://example.org/o/shape.git",
            license: "MIT", compiler: "Swift version 6.3", triple: "x86_64-unknown-linux-gnu", products: ["shape-tool"],
            pins: [])
    }

    /// The files of an archive whose program is a script.
    private static func files(_ version: String, resources: Bool = false) throws -> InstallableFiles {
        func entry(_ path: String, _ text: String, isExecutable: Bool = false) -> ArchiveEntry {
            ArchiveEntry(path, .bytes(Array(text.utf8), isExecutable: isExecutable))
        }
        var entries = [
            entry("bin/shape-tool", "#!/bin/sh\necho shape \(version)\n", isExecutable: true),
            entry("LICENSE", "Copyright Ada.\nFree.\n"), entry("README.md", "# Shape\n"), entry("src/a.swift", ""),
            entry("share/doc/shape/README.md", "# Shape\n"),
            entry("share/doc/shape/licenses/swift/LICENSE.txt", "Free.\n"),
            entry("share/man/man1/shape-tool.1", ".TH SHAPE 1\n.SH NAME\nshape \\- draw shapes\n"),
            entry("share/zsh/site-functions/_shape-tool", "complete\n"),
            entry("share/fish/vendor_completions.d/shape-tool.fish", "complete\n"),
        ]
        if resources { entries.append(entry("bin/Shape_Shape.resources/a.txt", "a\n")) }
        let built = PackageOrder.Built(
            contents: try ArchiveContents(entries).below("shape-\(version)"), executables: [("shape-tool", "/nowhere")],
            libraries: [], licenses: [], areStatic: true, builds: [])
        return InstallableFiles(of: built, base: "shape-\(version)")
    }

    private static func package(_ version: String, resources: Bool = false) throws -> DebianPackage {
        DebianPackage(
            record: record(version), files: try files(version, resources: resources), summary: "Draw shapes",
            maintainer: "Ada <ada@example.org>", dependencies: ["libc6 (>= 2.34)"])
    }

    private func shell(_ script: String, in directory: TemporaryDirectory) throws -> String {
        let run = try ChildRunner().capture(
            Command("sh", ["-ec", script], environment: processEnvironment(), directory: directory.path))
        #expect(run.report.succeeded, "\(run.errorText)")
        return run.text
    }

    @Test(.enabled(if: hasTool("dpkg-deb"), "needs dpkg"))
    func aDebianPackageHasItsFieldsAndFiles() throws {
        let directory = try TemporaryDirectory()
        try writeFile(try Self.package("1.2.0-rc.1").bytes(), to: "\(directory.path)/a.deb")
        #expect(try Self.package("1.2.0-rc.1").bytes() == readFile("\(directory.path)/a.deb"))
        #expect(
            try shell("dpkg-deb --field a.deb", in: directory) == """
                Package: shape-tools
                Version: 1.2.0~rc.1
                Architecture: amd64
                Maintainer: Ada <ada@example.org>
                Installed-Size: 18
                Depends: libc6 (>= 2.34)
                Section: utils
                Priority: optional
                Homepage: https://example.org/o/shape
                Description: Draw shapes
                 This package contains shape-tool of Shape_Tools.

                """)
        #expect(
            try shell("dpkg-deb --fsys-tarfile a.deb | tar -t | grep -v '/$'", in: directory) == """
                usr/bin/shape-tool
                usr/share/doc/shape-tools/README.md
                usr/share/doc/shape-tools/changelog.gz
                usr/share/doc/shape-tools/copyright
                usr/share/doc/shape-tools/licenses/swift/LICENSE.txt
                usr/share/fish/vendor_completions.d/shape-tool.fish
                usr/share/lintian/overrides/shape-tools
                usr/share/man/man1/shape-tool.1.gz
                usr/share/zsh/vendor-completions/_shape-tool

                """)
        let text = try shell("dpkg-deb -x a.deb x; usr=x/usr/share; zcat $usr/*/*/*.gz", in: directory)
        #expect(text.hasPrefix("shape-tools (1.2.0~rc.1) unstable; "), "\(text)")
        #expect(text.contains("\n -- Ada <ada@example.org>  Tue, 14 Nov 2023 22:13:20 +0000\n.TH SHAPE 1\n"), "\(text)")
        try writeFile(try Self.package("1.2.0", resources: true).bytes(), to: "\(directory.path)/b.deb")
        #expect(
            try shell(
                "dpkg-deb -x b.deb y; y/usr/bin/shape-tool; ls y/usr/lib/shape-tools; readlink y/usr/bin/*",
                in: directory)
                == "shape 1.2.0\nShape_Shape.resources\nshape-tool\n../../usr/lib/shape-tools/shape-tool\n")
    }

    private static let engine = "needs LANE_TEST_CONTAINER=1, Docker, and its image debian:bookworm-slim"

    private static func hasEngine() -> Bool {
        guard processEnvironment()["LANE_TEST_CONTAINER"] == "1" else { return false }
        return
            (try? ChildRunner().capture(
                Command("docker", ["image", "inspect", "debian:bookworm-slim"], environment: processEnvironment())
            )
            .report.succeeded) ?? false
    }

    @Test(.enabled(if: hasEngine(), Comment(rawValue: engine)))
    func aBareDebianInstallsUpgradesAndRemovesIt() throws {
        let directory = try TemporaryDirectory()
        for version in ["1.0.0", "1.1.0-rc.1", "1.1.0"] {
            try writeFile(try Self.package(version).bytes(), to: "\(directory.path)/\(version).deb")
        }
        let script = """
            for version in 1.0.0 1.1.0-rc.1 1.1.0; do
                dpkg -i /debs/$version.deb >/dev/null
                shape-tool
                dpkg --audit; dpkg --verify shape-tools
            done
            dpkg -i --refuse-downgrade /debs/1.1.0-rc.1.deb >/dev/null 2>&1 || true
            shape-tool
            dpkg --purge shape-tools >/dev/null
            find / -xdev -name '*shape*' -not -path '/proc/*' -not -path '/debs*'
            """
        let run = try shell(
            "docker run --rm --network none -v \"$PWD\":/debs:ro debian:bookworm-slim sh -ec '\(script.replacing("'", with: "'\\''"))'",
            in: directory)
        #expect(run == "shape 1.0.0\nshape 1.1.0-rc.1\nshape 1.1.0\nshape 1.1.0\n")
    }

    @Test(.enabled(if: hasEngine(), Comment(rawValue: engine)))
    func theImageContainsTheProgramsAlone() throws {
        let directory = try TemporaryDirectory()
        let image = ContainerImage(record: Self.record("1.2.0"), files: try Self.files("1.2.0"), summary: "Draw shapes")
        try writeFile(try image.bytes(), to: "\(directory.path)/a.image")
        let text = try shell(
            """
            docker load -q -i a.image
            docker image inspect --format '{{.Config.Entrypoint}} {{.Architecture}} {{index .Config.Labels "org.opencontainers.image.version"}}' shape_tools:1.2.0
            id=$(docker create shape_tools:1.2.0)
            docker export $id | tar -t | grep '^usr/.*[^/]$'
            docker rm $id >/dev/null; docker image rm shape_tools:1.2.0 >/dev/null
            """, in: directory)
        #expect(
            text == """
                Loaded image: shape_tools:1.2.0
                [/usr/bin/shape-tool] amd64 1.2.0
                usr/bin/shape-tool
                usr/share/doc/shape/licenses/swift/LICENSE.txt

                """)
    }

    @Test func theImageNamesItsLayerAndItsConfiguration() throws {
        let directory = try TemporaryDirectory()
        let image = ContainerImage(record: Self.record("1.2.0"), files: try Self.files("1.2.0"), summary: "Draw shapes")
        try writeFile(try image.bytes(), to: "\(directory.path)/a.image")
        #expect(try image.bytes() == readFile("\(directory.path)/a.image"))
        let sums = try shell(
            "tar -xzf a.image; sha256sum *.tar *.json | cut -c 1-64,65-; cat manifest.json", in: directory)
        let digests = sums.split(separator: "\n").filter { !$0.contains("manifest.json") }.map { String($0.prefix(64)) }
        #expect(digests.count == 3, "\(sums)")
        #expect(
            sums.hasSuffix(
                #"[{"Config":"\#(digests[1]).json","RepoTags":["shape_tools:1.2.0"],"Layers":["\#(digests[0]).tar"]}]"#),
            "\(sums)")
        #expect(try shell("cat \(digests[1]).json", in: directory).contains("\"diff_ids\":[\"sha256:\(digests[0])\"]"))
    }

    @Test(arguments: [
        ("1.2.0", "1.2.0"), ("1.2.0-rc.1", "1.2.0~rc.1"), ("1.0.0-a-b", "1.0.0~a.b"), ("0.0.0-dev+1", "0.0.0~dev+1"),
        ("1.0.0+a-b", "1.0.0+a.b"), ("1.0.0-rc.1+b-2", "1.0.0~rc.1+b.2"),
    ])
    func versionsSortInDebian(version: String, debian: String) throws {
        #expect(DebianPackage.version(try #require(SemanticVersion(version))) == debian)
    }

    /// `dpkg` and the policy of Debian, and container engines refuse other names.
    @Test func namesAndTagsAreValid() throws {
        for (name, debian) in [("x", "x-tool"), ("_p", "p-tool"), ("Shape_Tools", "shape-tools")] {
            let package = DebianPackage(
                record: Self.record("1.0.0", name: name), files: try Self.files("1.0.0"), summary: "", maintainer: "",
                dependencies: [])
            #expect(package.name == debian)
        }
        let directory = try TemporaryDirectory()
        let image = ContainerImage(record: Self.record("1.0.0+a"), files: try Self.files("1.0.0"), summary: "")
        try writeFile(try image.bytes(), to: "\(directory.path)/a.image")
        #expect(try shell("tar -xzOf a.image manifest.json", in: directory).contains("[\"shape_tools:1.0.0_a\"]"))
    }

    /// `lintian` and `brew style` report other lines.
    @Test(arguments: [
        ("Draw shapes", "Draw shapes"), ("Shape", "Command-line tools of Shape"), ("Shape is a pen", "Pen"),
        ("shape draws", "Draws"), ("The pen", "Pen"), ("An", "Command-line tools of Shape"),
        ("Another pen", "Another pen"), ("Draws shapes.", "Draws shapes"),
    ])
    func theSynopsisFits(summary: String, line: String) {
        #expect(ToolDescription.synopsis(summary, of: "Shape") == line)
        let long = ToolDescription.synopsis("\(summary) \(String(repeating: "and more ", count: 20))", of: "Shape")
        #expect((70...80).contains(long.count), "\(long)")
    }

    @Test(arguments: [
        (["GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.4", "GLIBC_PRIVATE"], "libc6 (>= 2.34)"), ([], "libc6"),
    ])
    func theHighestVersionOfASymbolDecides(versions: [String], package: String) {
        #expect(DebianDependencies.libcRequirement(versions) == package)
    }

    @Test func aListingOfLibrariesHasTheirPaths() {
        let listing = """
            \tlinux-vdso.so.1 (0x00007ffc)
            \tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f85)
            \t/lib64/ld-linux-x86-64.so.2 (0x00007f86)
            \tstatically linked

            """
        #expect(
            SystemLibraryFiles.paths(in: listing)
                == ["/lib/x86_64-linux-gnu/libm.so.6", "/lib64/ld-linux-x86-64.so.2"])
    }

    #if os(Linux)
        @Test func theLibrariesOfAProgramAreRead() throws {
            let libraries = SharedLibraries(of: try readFile("/bin/sh"))
            #expect(libraries.names.contains("libc.so.6"))
            #expect(libraries.symbolVersions.contains { $0.hasPrefix("GLIBC_2.") })
            let own = try readFile("/bin/sh")
            for count in [0, 4, 60, 200, own.count / 2] {
                #expect(SharedLibraries(of: Array(own.prefix(count))).names.allSatisfy { $0.utf8.count < 100 })
            }
            #expect(SharedLibraries(of: Array("#!/bin/sh\n".utf8)).names == [])
        }
    #endif

    @Test(arguments: [
        ("# Shape\n\n[![CI](x)](y)\n\nDraw `shapes`\nin *style*. And more.\n\nNext.\n", "Draw shapes in style"),
        ("# Shape\r\n\r\nDraw shapes. And more.\r\n", "Draw shapes"),
        ("Shape\n=====\n\n<p>x</p>\n\nDraws shapes.\n", "Shape"), ("# Shape\n", nil), ("", nil),
    ])
    func theFirstSentenceDescribesTheTools(document: String, sentence: String?) {
        #expect(ToolDescription.firstSentence(document) == sentence)
    }

    private static func formula(_ platforms: [String], summary: String = "Draw shapes") -> String {
        HomebrewFormula(
            name: "shape-tools", version: SemanticVersion("1.2.0") ?? SemanticVersion(.zero, .zero, .zero),
            summary: summary, homepage: "https://example.org/o/shape", tag: "v1.2.0", license: "MIT",
            archives: platforms.map { ("shape-tools-1.2.0-\($0).tar.gz", "sum of \($0)") }, program: "shape-tool"
        ).text
    }

    @Test func aFormulaHasTheArchivesOfAllMachines() {
        #expect(
            Self.formula(["linux-aarch64", "linux-x86_64", "macos-arm64"]) == """
                class ShapeTools < Formula
                  desc "Draw shapes"
                  homepage "https://example.org/o/shape"
                  version "1.2.0"
                  license "MIT"

                  on_macos do
                    on_arm do
                      url "https://example.org/o/shape/releases/download/v1.2.0/shape-tools-1.2.0-macos-arm64.tar.gz"
                      sha256 "sum of macos-arm64"
                    end
                  end

                  on_linux do
                    on_intel do
                      url "https://example.org/o/shape/releases/download/v1.2.0/shape-tools-1.2.0-linux-x86_64.tar.gz"
                      sha256 "sum of linux-x86_64"
                    end

                    on_arm do
                      url "https://example.org/o/shape/releases/download/v1.2.0/shape-tools-1.2.0-linux-aarch64.tar.gz"
                      sha256 "sum of linux-aarch64"
                    end
                  end

                  def install
                    bin.install Dir["bin/*"]
                    share.install Dir["share/*"]
                  end

                  test do
                    assert_path_exists bin/"shape-tool"
                  end
                end

                """)
    }

    @Test func aFormulaNeedsAWebAddress() throws {
        let fixture = try GitFixture()
        func refusal() -> String? {
            let file = FormulaFile(
                settings: Settings(), context: fixture.context(), name: "shape",
                version: SemanticVersion(.zero, .zero, .zero), directory: fixture.path)
            do {
                try file.write(archives: [], program: "shape", in: "dist")
                return nil
            } catch {
                return error.message
            }
        }
        #expect(refusal()?.hasSuffix("there is no remote 'origin'\nhint: git remote add origin URL") == true)
        try fixture.git("remote add origin ../shape.git")
        #expect(refusal()?.hasSuffix("'origin' is '../shape.git'\nhint: git remote set-url origin URL") == true)
    }

    /// `brew style` reports requirements below the blocks of systems, Linux above macOS (FormulaAudit/ComponentsOrder), and
    /// other descriptions (FormulaAudit/Desc).
    @Test func aFormulaHasTheStyleOfHomebrew() {
        #expect(
            Self.formula(["linux-x86_64"], summary: "A command line for ❤️ 👩🏽‍🎨 1️⃣ shapes 🖍").hasPrefix(
                """
                class ShapeTools < Formula
                  desc "Command-line for shapes"
                  homepage "https://example.org/o/shape"
                  version "1.2.0"
                  license "MIT"

                  depends_on arch: :x86_64
                  depends_on :linux

                  on_linux do
                    on_intel do

                """))
    }

    @Test(.enabled(if: hasTool("ruby"), "needs ruby"))
    func aFormulaIsRuby() throws {
        let directory = try TemporaryDirectory()
        for (index, platforms) in [["linux-x86_64"], ["linux-aarch64", "macos-arm64", "macos-x86_64"]].enumerated() {
            try directory.write(
                Self.formula(platforms, summary: "Draw \"#{shapes}\" \\ with #$0"), to: "\(index).rb")
        }
        let base =
            "class Formula; def self.method_missing(name, *rest, &block) = (p [name, *rest]; yield if block); def self.test; end; end"
        let text = try shell("for f in 0 1; do ruby -e '\(base)' -e \"load '$f.rb'\"; done", in: directory)
        #expect(text.contains(##"[:desc, "Draw \"\#{shapes}\" \\ with \#$0"]"##), "\(text)")
        #expect(text.split(separator: "\n").count { $0.contains(":sha256") } == 4, "\(text)")
    }
}
