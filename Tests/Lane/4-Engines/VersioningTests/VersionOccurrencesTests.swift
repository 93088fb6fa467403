import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Versioning

/// Tests of the texts that are recognized as the package's version.
@Suite(.startsPrograms) struct VersionOccurrencesTests {
    private static let names = PackageNames(whole: ["Shape", "swift-shape"], parts: ["shape-tool", "Inner"])

    /// A file with the package's version, and with the same numbers for other reasons. `{v}` is the version, `{a}` its
    /// numbers, `{b}` the notation of badges, `{n}` the upper bound of a range.
    struct Example: Sendable {
        let path: String
        let own: [String]
        let others: [String]
        var begin = ""
    }

    static let examples = [
        Example(
            path: "Sources/Shape/Shape.swift",
            own: [
                "let version = \"{v}\"", "public static let shapeVersion: String = \"{v}\"", "let VERSION = \"{v}\"",
                "static var currentVersion: String { \"{v}\" }", "var version: String { return \"{v}\" }",
                "let SHAPE_VERSION: StaticString = \"{v}\"", "let shape_tool_version = \"{v}\"",
                "let c = CommandConfiguration(\n    commandName: \"x\",\n    abstract: \"A (b\",\n    version: \"{v}\"\n)",
                ".package(url: \"https://a.b/c/shape.git\", from: \"{v}\")",
                ".package(\n    url: \"git@a.b:c/Shape.git\",\n    .upToNextMinor(from: \"{v}\")\n)",
            ],
            others: [
                "let protocolVersion = \"{v}\"", "// let version = \"{v}\"", "/* /* */ let version = \"{v}\" */",
                "/// .package(url: \"https://a.b/c/shape.git\", from: \"{v}\")", "let minimum = \"{v}\"",
                "let a = Dependency(name: \"x\", version: \"{v}\")", "let version = other ?? \"{v}\"",
                "let text = \"version = \\\"{v}\\\"\"", "let versions = [\"{v}\"]", "let x = \"\\(version = \"{v}\")\"",
                ".package(url: \"https://a.b/c/other.git\", from: \"{v}\")",
                ".package(\n    url: \"https://a.b/c/shapes.git\",\n    exact: \"{v}\"\n)",
                "let t = \"\"\"\n  let version = \"{v}\"\n  \"\"\"", "if version == \"{v}\" {}", "f(version: \"{v}\")",
            ]),
        Example(
            path: "Sources/Shape/ShapeVersion.swift",
            own: ["public static let current = \"{v}\"", "static let string: String = \"{v}\""],
            others: ["static let server = \"{v}\"", "let protocolVersion = \"{v}\""]),
        Example(
            path: "Sources/Shape/ProtocolVersion.swift", own: [],
            others: ["static let current = \"{v}\"", "static let value = \"{v}\""]),
        Example(
            path: "README.md",
            own: [
                ".package(url: \"https://github.com/example/shape.git\", from: \"{v}\"),",
                "dependencies: [\n  .package(\n    url: \"https://github.com/example/swift-shape\",\n    exact: \"{v}\")\n]",
                ".package(url: \"https://a.b/shape\", \"{v}\"..<\"{n}\")",
                ".package(url: \"https://a.b/shape\", .exact(\"{v}\"))",
                "pod 'Shape', '= {v}'", "pod \"Shape\", \"{v}\"", "    pod('Shape', '>= {v}')",
                "pod 'Shape/Core', '= {v}'", "github \"example/shape\" == {v}",
                "Unpack `shape-{v}-linux-x86_64.tar.gz`.", "`Shape-v{v}.zip`",
                "![v](https://img.shields.io/badge/version-{b}-blue.svg)",
                "[![](https://a.b/badge/Shape-v{b}-green)]()",
                "https://github.com/example/shape/releases/download/v{v}/x.zip",
                "https://a.b/c/shape/archive/refs/tags/{v}.tar.gz", "docker pull a.b/c/shape:{v}",
                "mise use -g shape@{v}", "mint install example/shape@v{v}", "- uses: example/shape@v{v} # latest",
                ".package(id: \"example.shape\", from: \"{v}\")",
            ],
            others: [
                "Since {v} it has corners.", ".package(url: \"https://github.com/example/other.git\", from: \"{v}\")",
                "It speaks protocol version {v}.", "pod 'Shapes', '~> {v}'", "pod 'Other/Shape', '~> {v}'",
                "github \"example/other\" ~> {v}",
                "other-{v}-linux-x86_64.tar.gz", "https://img.shields.io/badge/swift-{b}-orange",
                "https://github.com/example/other/releases/download/{v}/x.zip", "docker pull a.b/shape/tool:{v}",
                "mint install example/other@{v}", "shape:{v}", ".package(id: \"shape.other\", from: \"{v}\")",
                "`shape-{v}` or so", "let version = \"{v}\"", "> ## {v}", "don't \"quote {v}",
            ]),
        Example(
            path: "Shape.podspec",
            own: [
                "  s.version = '{v}'", "  spec.version      = \"{v}\" # {x}",
                "  s.source = { :git => 'https://a.b/c.git', :tag => 'v{v}' }",
                "  s.source = { git: 'x', tag: \"{v}\" }",
                "  s.dependency 'Shape', '= {v}'",
            ],
            others: [
                "  # s.version = '{v}'", "  s.swift_version = '{v}'", "  s.dependency 'Other', '~> {v}'",
                "  s.ios.deployment_target = '{v}'", "  s.summary = 'Not {v}'",
            ]),
        Example(
            path: "template.json", own: [],
            others: ["{}\n\"version\": \"{v}\"", "{{ if .x }}\n\"version\": \"{v}\"", "{[ \"version\": \"{v}\" ]}"]),
        Example(
            path: "Podfile", own: ["pod 'Shape', '= {v}'"], others: ["pod 'Other', '{v}'", "# pod 'Shape', '{v}'"]),
        Example(
            path: "Dockerfile",
            own: [
                "ARG VERSION={v}", "ARG SHAPE_VERSION=\"{v}\"", "ENV A=1 shape_version={v}", "LABEL version=\"{v}\"",
                "LABEL a=\"b c\" \\\n  org.opencontainers.image.version={v}", "FROM a.b/c/shape:{v} AS x",
            ],
            others: [
                "ARG SWIFT_VERSION={v}", "FROM swift:{v}", "# ARG VERSION={v}", "RUN install version={v}",
                "LABEL other.version=\"{v}\"", "ENV PROTOCOL_VERSION {v}",
            ]),
        Example(
            path: "chart/Chart.yaml", own: ["version: {v}", "appVersion: \"{v}\"", "  image: a.b/shape:{v}"],
            others: ["  version: {v}", "apiVersion: {v}", "# version: {v}", "kubeVersion: {v}"], begin: "name: shape\n"),
        Example(
            path: "other.yml", own: ["  MARKETING_VERSION: {a}", "  CFBundleShortVersionString: \"{a}\""],
            others: ["version: {v}", "  version: {v}"], begin: "name: other\n"),
        Example(
            path: "package-lock.json",
            own: ["\"version\": \"{v}\",", "\"packages\": { \"\": { \"version\": \"{v}\" } },"],
            others: [
                "\"lockfileVersion\": \"{v}\",", "\"packages\": { \"node_modules/x\": { \"version\": \"{v}\" } },",
                "\"dependencies\": { \"\": { \"version\": \"{v}\" } },",
            ], begin: "{ \"name\": \"shape\",\n"),
        Example(
            path: "codemeta.json", own: ["\"version\": \"{v}\",", "\"softwareVersion\": \"{v}\","],
            others: ["\"softwareRequirements\": \"{v}\","], begin: "{ \"name\": \"Shape\",\n"),
        Example(
            path: "CITATION.cff", own: ["version: {v}", "version: \"{v}\""],
            others: ["cff-version: {v}", "  version: {v}", "# version: {v}"], begin: "title: Shapes for all\n"),
        Example(
            path: "App/Info.plist",
            own: [
                "<key>CFBundleShortVersionString</key>\n  <string>{a}</string>",
                "<key>CFBundleShortVersionString</key><string>{a}</string>",
            ],
            others: ["<key>CFBundleVersion</key>\n<string>{v}</string>", "<!-- {v} -->"]),
        Example(
            path: "A.xcodeproj/project.pbxproj", own: ["\tMARKETING_VERSION = {a};", "\tMARKETING_VERSION = \"{a}\";"],
            others: ["\tCURRENT_PROJECT_VERSION = {v};", "\tMY_MARKETING_VERSION = {v};", "minimumVersion = {v};"]),
        Example(path: "A.xcconfig", own: ["MARKETING_VERSION = {a}"], others: ["// MARKETING_VERSION = {v}"]),
        Example(path: "VERSION", own: ["{v}"], others: []),
        Example(path: "Vendor/zlib/VERSION", own: [], others: ["{v}"]),
        Example(path: "Tests/ATests/a.swift", own: [], others: ["let version = \"{v}\""]),
        Example(path: "docs/HISTORY.md", own: [], others: ["pod 'Shape', '~> {v}'"]),
    ]

    private static let versions = Generator<String>.element(of: [
        "0.1.0", "1.2.3", "10.20.30", "0.2.0-rc.1", "2.0.0", "1.3.0-a-b",
    ])

    private func fill(_ text: String, _ version: SemanticVersion) -> String {
        text.replacing("{v}", with: version.description)
            .replacing("{b}", with: version.description.replacing("-", with: "--"))
            .replacing("{a}", with: "\(version.major).\(version.minor).\(version.patch)")
            .replacing(
                "{n}", with: SemanticVersion(version.major, version.minor, version.patch).bumped(.minor).description)
    }

    /// Returns the text with another version in all its places.
    private func bumped(_ text: String, _ path: String, from old: SemanticVersion, to new: SemanticVersion) -> String {
        guard VersionScanner.isCandidate(path) else { return text }
        var bytes = Array(text.utf8)
        let occurrences = VersionScanner(names: Self.names).occurrences(in: bytes, of: path).filter { $0.names(old) }
            .sorted()
        for occurrence in occurrences.reversed() {
            bytes.replaceSubrange(
                occurrence.range, with: Array((occurrence.replacement(for: new) ?? occurrence.text).utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: examples.indices) func eachTextAlone(index: Int) throws {
        let example = Self.examples[index]
        let old = try #require(SemanticVersion("0.1.0"))
        let new = try #require(SemanticVersion("0.2.0"))
        for (text, isOwn) in example.own.map({ ($0, true) }) + example.others.map({ ($0, false) }) {
            let before = example.begin + fill(text, old) + "\n"
            let after = isOwn ? example.begin + fill(text, new) + "\n" : before
            #expect(bumped(before, example.path, from: old, to: new) == after)
        }
    }

    /// The same texts are found in any context, and a bump back restores the file.
    @Test func anyMixtureOfTexts() {
        let texts = Generator<Int>.integer(in: 0...100).array(count: 0...12)
        let input = zip(.integer(in: 0...(Self.examples.count - 1)), texts, Self.versions, Self.versions)
        checkProperty("own texts change, others do not", input, cases: 400) { index, choices, one, other in
            let example = Self.examples[index]
            guard let old = SemanticVersion(one), let new = SemanticVersion(other) else { return false }
            let all = example.own.map { ($0, true) } + example.others.map { ($0, false) }
            // A file that contains only a version has a single line.
            let most = example.path == "VERSION" ? 1 : choices.count
            let lines = choices.prefix(most).map { all[$0 % all.count] }
            // The preceding line must not start a comment or string.
            func file(_ version: SemanticVersion) -> String {
                example.begin + lines.map { text, isOwn in fill(text, isOwn ? version : old) + "\n" }.joined()
            }
            return try expectEqual(bumped(file(old), example.path, from: old, to: new), file(new))
        }
    }

    @Test func noBytesMakeItFail() {
        let kinds = Self.examples.map(\.path)
        let bytes = Generator<[UInt8]>.oneOf([
            .bytes(count: 0...60),
            Generator<String>.string(of: "\"'\\(){}[]:=./*#-v10\n\té", count: 0...60).map { Array($0.utf8) },
        ])
        checkProperty("any bytes are read", zip(.element(of: kinds), bytes), cases: 2000) { path, bytes in
            VersionScanner(names: Self.names).occurrences(in: bytes, of: path).allSatisfy {
                Array($0.text.utf8) == Array(bytes[$0.range])
            }
        }
    }

    /// Data of a generator, for example.
    @Test func deeplyNestedDataIsRead() {
        let data = String(repeating: "[\"a\":", count: 20_000) + "let version = \"1.2.3\""
        let found = VersionScanner(names: Self.names).occurrences(in: Array(data.utf8), of: "Sources/Shape/Data.swift")
        #expect(found.map(\.text) == ["1.2.3"])
    }

    /// Neither the name of the directory nor the URL of the repository affects the result.
    @Test func directoryOfTheCheckoutIsIgnored() throws {
        let fixture = try GitFixture("other")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            let package = Package(
                name: "Shape",
                dependencies: [.package(url: "https://a.b/other.git", from: "0.1.0")],
                targets: [.target(name: "Inner", dependencies: [.product(name: "Foreign", package: "other")])]
            )

            """, to: "Package.swift")
        try fixture.write(
            "let version = \"0.1.0\"\nlet otherVersion = \"0.1.0\"\nlet innerVersion = \"0.1.0\"\nlet foreignVersion = \"0.1.0\"\n",
            to: "Sources/Inner/a.swift")
        try fixture.write(
            "pod 'other', '0.1.0'\npod 'copy', '0.1.0'\npod 'Shape', '0.1.0'\nother-0.1.0-linux\n", to: "README.md")
        try fixture.commit("Begin")
        try fixture.shell("git clone -q . ../copy; cp -r ../copy ../shape")
        func diff(in directory: String) throws -> String {
            let path = "\(fixture.temporary.path)/\(directory)"
            let context = StepContext.fixture(in: path, environment: fixture.environment)
            _ = try BumpAction().run(Settings(["version": .string("0.2.0")]), in: context)
            return try fixture.shell("cd ../\(directory); git diff -U0 | grep '^+[^+]'")
        }
        for directory in ["other", "copy", "shape"] {
            #expect(
                try diff(in: directory)
                    == "+pod 'Shape', '0.2.0'\n+let version = \"0.2.0\"\n+let innerVersion = \"0.2.0\"", "\(directory)")
        }
    }

    @Test func aFileMayBeNamedWithTheCountOfItsPlaces() throws {
        let fixture = try GitFixture.package()
        try fixture.write("a 0.1.0\nb 0.1.0, 10.1.0\nversion: <0.1.0>\n", to: "other.txt")
        try fixture.commit("More")
        func files(_ members: [(name: String, value: Value)]) -> [String: Value] {
            let own = Value.string("Sources/Shape/ShapeVersion.swift")
            return [
                "version": .string("0.2.0"), "files": .list([own, .map([("path", .string("other.txt"))] + members)]),
            ]
        }
        #expect(
            fixture.refusal(of: BumpAction(), files([("count", .integer(2))]))?.message
                == "other.txt: expected 2 occurrences of the version, found 3, in lines 1, 2, 3")
        #expect(
            fixture.refusal(
                of: BumpAction(), files([("count", .integer(2)), ("pattern", .string("<{version}>"))]))?.message
                == "other.txt: expected 2 occurrences of the version, found 1, in lines 3")
        try fixture.run(BumpAction(), files([("count", .integer(3))]))
        #expect(try fixture.read("other.txt") == "a 0.2.0\nb 0.2.0, 10.1.0\nversion: <0.2.0>\n")
        try fixture.run(BumpAction(), files([("count", .integer(3))]))
    }
}
