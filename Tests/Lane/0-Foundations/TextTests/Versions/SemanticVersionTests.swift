import TestSupport
import Testing
import Text

/// The examples of the specification and others, from `semver-cases.json`.
@Suite struct SemanticVersionTests {
    static let cases = (try? JSONParser.parse(contents(of: directory + "/semver-cases.json"))) ?? JSONNode(.null)
    static let directory = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()

    static func strings(_ node: JSONNode?) -> [String] { node?.array?.compactMap(\.string) ?? [] }

    @Test(arguments: ["valid", "validExtra"])
    func validVersionsAreParsed(list: String) throws {
        let cases = try #require(Self.cases["parse"]?[list]?.array)
        for item in cases {
            let text = try #require(item["text"]?.string)
            let version = try #require(SemanticVersion(text), "\(text)")
            #expect(version.description == text)
            #expect(version.major.description == item["major"]?.string)
            #expect(version.minor.description == item["minor"]?.string)
            #expect(version.patch.description == item["patch"]?.string)
            #expect(version.prerelease == Self.strings(item["prerelease"]), "\(text)")
            #expect(version.build == Self.strings(item["build"]), "\(text)")
        }
        #expect(cases.count == (list == "valid" ? 31 : 6))
    }

    @Test(arguments: ["invalidOfficial", "invalidExtra"])
    func invalidVersionsAreRejected(list: String) {
        let texts = Self.strings(Self.cases["parse"]?[list])
        for text in texts { #expect(SemanticVersion(text) == nil, "\(text)") }
        #expect(texts.count == (list == "invalidOfficial" ? 39 : 24))
    }

    @Test(arguments: ["core", "spec-11", "ascii", "big"])
    func precedence(chain: String) throws {
        let texts = Self.strings(Self.cases["precedence"]?["strictlyAscending"]?[chain])
        let versions = try texts.map { try #require(SemanticVersion($0)) }
        for (left, one) in versions.enumerated() {
            for (right, other) in versions.enumerated() {
                #expect((one < other) == (left < right), "\(one) \(other)")
                #expect((one == other) == (left == right))
            }
        }
        #expect(versions.count >= 6)
    }

    @Test func buildMetadataDoesNotAffectPrecedence() throws {
        let pairs = try #require(Self.cases["precedence"]?["equal"]?.array)
        for pair in pairs.map(Self.strings) {
            let versions = try pair.map { try #require(SemanticVersion($0)) }
            #expect(versions[0] == versions[1] && !(versions[0] < versions[1]) && !(versions[1] < versions[0]))
        }
        #expect(pairs.count == 4)
    }

    @Test func everyBumpGivesTheNextVersion() throws {
        let cases = try #require(Self.cases["bump"]?.array)
        for item in cases {
            let kind = try #require(item["kind"]?.string)
            let row = item["id"]?.string.map { ":\($0)" } ?? ""
            let bump = try #require(VersionBump(kind + row))
            let version = try #require(SemanticVersion(item["from"]?.string ?? ""))
            #expect(version.bumped(bump).description == item["to"]?.string, "\(version) \(kind)")
        }
        #expect(cases.count == 17)
    }

    /// The next prerelease has the form of the last one.
    @Test(arguments: [
        ("2.0.0-rc1", "prerelease", "2.0.0-rc2"), ("2.0.0-RC1", "prerelease", "2.0.0-RC2"),
        ("2.0.0-RC.9", "prerelease", "2.0.0-RC.10"), ("2.0.0-rc-3", "prerelease", "2.0.0-rc-4"),
        ("2.0.0-beta3", "prerelease:beta", "2.0.0-beta4"), ("2.0.0-beta3", "prerelease", "2.0.0-rc.1"),
        ("2.0.0-rc", "prerelease", "2.0.0-rc.1"), ("2.0.0-rc.x", "prerelease", "2.0.0-rc.1"),
        ("2.0.0-rc.1.2", "prerelease", "2.0.0-rc.1"), ("2.0.0-arc1", "prerelease", "2.0.0-rc.1"),
    ])
    func prereleasesKeepTheirForm(version: String, word: String, next: String) throws {
        let bump = try #require(VersionBump(word))
        #expect(SemanticVersion(version)?.bumped(bump).description == next)
    }

    @Test(arguments: ["", "huge", "prerelease:", "prerelease:1", "minor:rc", "prerelease:a b", "Minor"])
    func invalidBumpsAreRejected(text: String) {
        #expect(VersionBump(text) == nil)
    }

    @Test func descriptionsRoundTrip() {
        let number = Generator<Int>.integer(in: 0...30)
        checkProperty("a version's text is the version", zip(number, number, number)) { parts in
            let text = "\(parts.0).\(parts.1).\(parts.2)"
            return SemanticVersion(text)?.description == text
        }
        checkProperty("a bump is greater", zip(number, number, number)) { parts in
            guard let version = SemanticVersion("\(parts.0).\(parts.1).\(parts.2)") else { return false }
            let bumps: [VersionBump] = [.major, .minor, .patch, .prerelease("rc"), .preminor("rc"), .premajor("rc")]
            return bumps.allSatisfy { version.bumped($0) > version }
        }
    }
}
