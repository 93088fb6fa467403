import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import Packaging
import SwiftPackages
import TestSupport
import Testing

/// Tests of builds with the toolchain, each of which takes some seconds.
@Suite(.startsPrograms) struct PackageTests {
    /// A library with an inner module and a C module, and a tool without resources.
    static func shape(_ name: String = "shape", keepingBuildsAs builds: String? = nil) throws -> GitFixture {
        let fixture = try GitFixture(name, keepingBuildsAs: builds)
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Shape",
                products: [.library(name: "Shape", targets: ["Shape"]), .executable(name: "shape-tool", targets: ["shape-tool"])],
                targets: [
                    .target(name: "CNumbers"), .target(name: "Inner"),
                    .target(name: "Shape", dependencies: ["CNumbers", "Inner"]),
                    .executableTarget(name: "shape-tool", dependencies: ["Shape"]),
                ])

            """, to: "Package.swift")
        try fixture.write("int three(void);\n", to: "Sources/CNumbers/include/CNumbers.h")
        try fixture.write("#include \"CNumbers.h\"\nint three(void) { return 3; }\n", to: "Sources/CNumbers/a.c")
        try fixture.write("package func four() -> Int { 4 }\n", to: "Sources/Inner/a.swift")
        try fixture.write(
            """
            import CNumbers
            import Inner
            public struct Box: Sendable {
                public init() {}
                public var corners: Int { Int(three()) + four() + 1 }
            }

            """, to: "Sources/Shape/a.swift")
        try fixture.write(
            "public enum ShapeVersion { public static let current = \"0.1.0\" }\n",
            to: "Sources/Shape/ShapeVersion.swift")
        try fixture.write(
            #"""
            import Shape
            // The options of Swift Argument Parser.
            switch CommandLine.arguments.dropFirst().first {
            case "--experimental-dump-help":
                print(#"{"command": {"commandName": "shape-tool", "abstract": "Count corners."}}"#)
            case "--generate-completion-script": print("complete shape-tool for", CommandLine.arguments[2])
            default: print("corners", Box().corners)
            }

            """#, to: "Sources/shape-tool/main.swift")
        try fixture.write("complete for fish\n", to: "completions/shape-tool.fish")
        try fixture.write(".TH SHAPE 5\n", to: "man/shape.5")
        try fixture.write("# Shape\n", to: "README.md")
        try fixture.write("Free.\n", to: "LICENSE")
        try fixture.write(".build/\ndist/\n", to: ".gitignore")
        try fixture.write("Deep words.\n", to: "docs/guide.md")
        try fixture.commit("Begin")
        return fixture
    }

    #if os(Linux)
        @Test(.enabled(if: hasTool("unzip"), "needs unzip"))
        func aPackageWorksWhereNothingElseIs() throws {
            let fixture = try Self.shape("some-checkout", keepingBuildsAs: "shape")
            try fixture.write("not known to git\n", to: "stray.txt")
            try fixture.git("remote add origin https://example.org/o/shape.git")
            let events = RecordedEvents()
            let formats = ["deb", "formula", "image"].map { Value.string($0) }
            let result = try fixture.run(PackageAction(), ["formats": .list(formats)], events: events)
            let archive = "dist/shape-0.1.0-linux-\(try fixture.shell("uname -m")).tar.gz"
            #expect(result.outputs["archive"] == .string(archive))
            #expect(try fixture.shell("cd dist && sha256sum -c *.sha256").hasSuffix(": OK"))
            try Self.expectInstallers(of: fixture, archive: try #require(result.outputs["sha256"]?.text))
            #expect(
                try fixture.shell("cd dist && unzip -q *.zip -d ../../b && env -i ../../b/*/*/bin/shape-tool")
                    == "corners 8")
            // Of the files for this machine, `ubi` takes the first by name, which is the bundle, and installs the first file
            // in it with the name of the program: here no completions.
            #expect(try fixture.shell("unzip -Z1 dist/*.zip | grep -c '/shape-tool$'") == "1")
            #expect(try !fixture.shell("cat dist/*.json").contains(fixture.path))
            #expect(events.messages.map { $0.hasPrefix("the checkout has changes that are not committed; ") } == [true])
            // Builds report their progress, and their output is not shown.
            #expect(
                events.output.isEmpty && events.all.contains { if case .buildProgress = $0 { true } else { false } })
            let top = archive.dropFirst("dist/".count).dropLast(".tar.gz".count)
            try fixture.shell("mkdir ../out; tar xzf \(archive) -C ../out")
            try Self.expectFiles(in: "../out/\(top)", of: fixture)
            #expect(try fixture.shell("env -i ../out/\(top)/bin/shape-tool") == "corners 8")
            #expect(
                try fixture.shell("ldd ../out/\(top)/bin/shape-tool 2>&1 || true").contains("not a dynamic executable"))
            try fixture.write("import Shape\nprint(Box().corners, ShapeVersion.current)\n", to: "../out/main.swift")
            #expect(
                try fixture.shell("cd ../out && swiftc main.swift -I \(top)/lib -L \(top)/lib -lShape -o m && ./m")
                    == "8 0.1.0")
            // Only the textual interface is used, as by a compiler that cannot read the binary module.
            #expect(
                try fixture.shell(
                    "cd ../out && rm \(top)/lib/*.swiftmodule/*.swiftmodule && swiftc main.swift -I \(top)/lib -L \(top)/lib -lShape -o n && ./n"
                ) == "8 0.1.0")
        }

        /// Expects the files of `dist`. `ubi` ignores files with unknown extensions. `mise` prefers archives to artifact bundles,
        /// and it expects a Sigstore bundle in a file whose name contains `provenance` or `.intoto.jsonl`.
        private static func expectInstallers(of fixture: GitFixture, archive digest: String) throws {
            #expect(
                try fixture.shell("cd dist && ls -A | sed s/$(uname -m)/cpu/") == """
                    .gitignore
                    shape-0.1.0-linux-cpu.artifactbundle.zip
                    shape-0.1.0-linux-cpu.cdx.json
                    shape-0.1.0-linux-cpu.deb
                    shape-0.1.0-linux-cpu.image
                    shape-0.1.0-linux-cpu.intoto.json
                    shape-0.1.0-linux-cpu.manifest.json
                    shape-0.1.0-linux-cpu.sha256
                    shape-0.1.0-linux-cpu.spdx.json
                    shape-0.1.0-linux-cpu.tar.gz
                    shape-0.1.0-linux-cpu.tar.gz.sha256
                    shape.rb
                    shape.rb.manifest.json
                    shape.rb.sha256
                    """)
            #expect(try fixture.read("dist/shape.rb").contains("      sha256 \"\(digest)\"\n"))
            #expect(
                try fixture.shell("grep -c -e '[.]deb\"' -e '[.]image\"' dist/*-linux-*.json | cut -d: -f2 | xargs")
                    == "2 2 2 2")
            if hasTool("dpkg-deb") {
                #expect(
                    try fixture.shell("dpkg-deb -x dist/*.deb ../d && env -i ../d/usr/bin/shape-tool") == "corners 8")
            }
        }

        private static func expectFiles(in top: String, of fixture: GitFixture) throws {
            let files = try fixture.shell("cd \(top) && find . -type f | sort | sed s/$(uname -m)/cpu/")
            #expect(
                files.split(separator: "\n") == [
                    "./LICENSE", "./README.md", "./bin/shape-tool", "./lib/CNumbers/CNumbers.h",
                    "./lib/CNumbers/module.modulemap",
                    "./lib/Inner.swiftmodule/cpu-unknown-linux-gnu.swiftdoc",
                    "./lib/Inner.swiftmodule/cpu-unknown-linux-gnu.swiftinterface",
                    "./lib/Inner.swiftmodule/cpu-unknown-linux-gnu.swiftmodule",
                    "./lib/Shape.swiftmodule/cpu-unknown-linux-gnu.swiftdoc",
                    "./lib/Shape.swiftmodule/cpu-unknown-linux-gnu.swiftinterface",
                    "./lib/Shape.swiftmodule/cpu-unknown-linux-gnu.swiftmodule", "./lib/libShape.a",
                    "./share/bash-completion/completions/shape-tool", "./share/doc/shape/README.md",
                    "./share/doc/shape/guide.md", "./share/doc/shape/licenses/libc6-dev/copyright",
                    "./share/doc/shape/licenses/swift/LICENSE.txt",
                    "./share/fish/vendor_completions.d/shape-tool.fish", "./share/man/man1/shape-tool.1",
                    "./share/man/man5/shape.5", "./share/zsh/site-functions/_shape-tool", "./src/.gitignore",
                    "./src/LICENSE", "./src/Package.swift", "./src/README.md", "./src/Sources/CNumbers/a.c",
                    "./src/Sources/CNumbers/include/CNumbers.h", "./src/Sources/Inner/a.swift",
                    "./src/Sources/Shape/ShapeVersion.swift", "./src/Sources/Shape/a.swift",
                    "./src/Sources/shape-tool/main.swift", "./src/completions/shape-tool.fish", "./src/docs/guide.md",
                    "./src/man/shape.5",
                ])
            let share = "\(top)/share"
            #expect(try fixture.shell("cat \(share)/bash-completion/*/*") == "complete shape-tool for bash")
            #expect(try fixture.shell("cat \(share)/fish/*/*") == "complete for fish")
            #expect(try fixture.shell("cat \(share)/man/man1/*").contains("\nshape\\-tool \\- Count corners\n"))
            #expect(try fixture.shell("cd ../b/*/share/doc/shape/licenses && ls | xargs") == "libc6-dev swift")
        }

        /// Users of a tool need neither its sources nor the other files of the repository.
        @Test(arguments: [nil, true, false] as [Bool?]) func sourcesOfATool(sources: Bool?) throws {
            let fixture = try GitFixture("tool", keepingBuildsAs: "tool-sources")
            try fixture.write(
                """
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(name: "tool", targets: [.executableTarget(name: "tool")])

                """, to: "Package.swift")
            try fixture.write("print(1)\n", to: "Sources/tool/main.swift")
            try fixture.write("guide\n", to: "docs/guide.md")
            try fixture.shell("echo MIT > LICENSE; echo hi > README.md; echo x > Makefile; echo .build > .gitignore")
            try fixture.commit("Begin")
            var settings: [String: Value] = ["verify": .bool(false), "version": .string("1.0.0")]
            if let sources { settings["sources"] = .bool(sources) }
            try fixture.run(PackageAction(), settings)
            let files = try fixture.shell("tar tzf dist/*.tar.gz | grep -v '/$' | cut -d/ -f2- | sort")
                .split(separator: "\n")
            let plain = [
                "LICENSE", "README.md", "bin/tool", "share/doc/tool/README.md", "share/doc/tool/guide.md",
                "share/doc/tool/licenses/libc6-dev/copyright", "share/doc/tool/licenses/swift/LICENSE.txt",
            ]
            let all = [
                ".gitignore", "LICENSE", "Makefile", "Package.swift", "README.md", "Sources/tool/main.swift",
                "docs/guide.md",
            ]
            #expect(files == (plain + (sources == true ? all.map { "src/\($0)" } : [])).map { $0[...] })
        }

        /// Two checkouts with different names, umasks and time zones. One of them contains an earlier build of other
        /// sources.
        @Test func sameCommitSameBytes() throws {
            let fixture = try Self.shape("one", keepingBuildsAs: "two-shapes")
            try fixture.write("public let extra = 1\n", to: "Sources/Shape/extra.swift")
            try fixture.commit("More")
            try fixture.run(PackageAction(), ["verify": .bool(false)])
            try fixture.shell("git reset -q --hard HEAD~1; git init -q ../two; cd ../two; git pull -q ../one")
            let first = try fixture.run(PackageAction(), ["verify": .bool(false)])
            let context = StepContext.fixture(
                in: "\(fixture.temporary.path)/two",
                environment: fixture.environment.merging(["TZ": "Asia/Tokyo", "LANG": "C.UTF-8"]) { $1 })
            let second = try PackageAction().run(Settings(["verify": .bool(false)]), in: context)
            let differences = try fixture.shell(
                """
                mkdir ../u1 ../u2; tar xzf dist/*.gz -C ../u1; tar xzf ../two/dist/*.gz -C ../u2
                diff -rq ../u1 ../u2 || true
                """)
            #expect(differences == "")
            #expect(first.outputs["sha256"] == second.outputs["sha256"])
            #expect(first.outputs["sha256"] != nil)
        }
    #endif

    @Test func incompleteLibrariesFail() throws {
        let fixture = try Self.shape(keepingBuildsAs: "incomplete")
        try fixture.write(
            "@_silgen_name(\"nowhere\") func nowhere()\npublic func usesNothing() { nowhere() }\n",
            to: "Sources/Shape/b.swift")
        try fixture.commit("More")
        let failure = fixture.refusal(of: PackageAction(), ["products": .list([.string("Shape")])])
        #expect(failure?.message.contains("libShape.a cannot be linked by another program") == true)
        #expect(failure?.message.contains("nowhere") == true, "\(failure?.message ?? "nothing")")
    }

    /// `m` and the C++ library are not linked automatically.
    @Test func programsAreLinkedWithRequiredLibraries() throws {
        let fixture = try GitFixture("mixed", keepingBuildsAs: "mixed")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Mixed",
                products: [.library(name: "Mixed", targets: ["Mixed"]), .library(name: "Waves", targets: ["CWaves"])],
                targets: [
                    .target(name: "CWaves", publicHeadersPath: ".", linkerSettings: [
                        .linkedLibrary("m", .when(platforms: [.linux])),
                        .linkedLibrary("nowhere", .when(platforms: [.windows])),
                        .linkedLibrary("nowhere", .when(configuration: .debug)),
                    ]),
                    .target(name: "CPlus", publicHeadersPath: "api"),
                    .target(name: "Mixed", dependencies: ["CWaves", "CPlus"]),
                ])

            """, to: "Package.swift")
        try fixture.write("double wave(double);\n", to: "Sources/CWaves/waves.h")
        try fixture.write(
            "#include <math.h>\n#include \"waves.h\"\ndouble wave(double x) { return cos(x); }\n",
            to: "Sources/CWaves/waves.c")
        try fixture.write(
            "#ifdef __cplusplus\nextern \"C\"\n#endif\nint words(void);\n", to: "Sources/CPlus/api/words.h")
        try fixture.write(
            """
            #include <string>
            #include <vector>
            #include "words.h"
            int words(void) { std::vector<std::string> all; all.push_back("one"); return all.size(); }

            """, to: "Sources/CPlus/words.cpp")
        try fixture.write(
            "import CPlus\nimport CWaves\npublic func sum() -> Double { wave(0) + Double(words()) }\n",
            to: "Sources/Mixed/a.swift")
        let events = RecordedEvents()
        try fixture.packAndUnpack(events: events)
        #expect(
            try fixture.shell("cd ../out/lib && ls CPlus CWaves | xargs")
                == "CPlus: module.modulemap words.h CWaves: module.modulemap waves.h")
        #expect(try fixture.output(of: "import Mixed\nprint(sum())\n", linking: "-lMixed") == "2.0")
        #if os(Linux)
            #expect(events.messages == ["programs with 'Waves' must also be linked with -lm"])
        #endif
        #expect(events.output == "")
    }

    @Test func crashingProgramsFail() throws {
        let fixture = try Self.shape(keepingBuildsAs: "crashing")
        try fixture.write("fatalError(\"no words\")\n", to: "Sources/shape-tool/main.swift")
        try fixture.commit("More")
        let failure = fixture.refusal(of: PackageAction(), ["products": .list([.string("shape-tool")])])
        let message = failure?.message ?? "nothing"
        #expect(message.contains("bin/shape-tool was ended by SIG"), "\(message)")
        #expect(message.contains("no words") && !message.hasSuffix("\n"), "\(message)")
    }

    /// The program throws an error at once, which does not make its package invalid.
    @Test func anExampleIsPackedWhereItIsNamed() throws {
        let fixture = try Self.shape(keepingBuildsAs: "example")
        let product = ", .executable(name: \"shape-tool\", targets: [\"shape-tool\"])"
        try fixture.write(
            fixture.read("Package.swift").replacing(product, with: ""), to: "Package.swift")
        try fixture.write("struct Early: Error {}\nthrow Early()\n", to: "Sources/shape-tool/main.swift")
        try fixture.commit("The tool is an example")
        let events = RecordedEvents()
        let all = try #require(fixture.run(PackageAction(), events: events).outputs["archive"]?.text)
        #expect(
            events.messages == [
                "no product in Package.swift names 'shape-tool'; add them to 'products' to package them"
            ])
        #expect(try !fixture.shell("tar -tzf \(all)").contains("/bin/"))
        let named = try fixture.run(PackageAction(), ["products": .list([.string("shape-tool")])])
        let one = try #require(named.outputs["archive"]?.text)
        #expect(try fixture.shell("tar -tzf \(one)").contains("/bin/shape-tool\n"))
    }
}
