import Testing
import Text

@testable import ChangeImpact

@Suite struct ManifestChangeTests {
    private static let manifest = """
        {"name": "app", "packageKind": {"root": ["/a"]}, "dependencies": [], "platforms": [],
        "products": [{"name": "A", "targets": ["A"], "type": {"library": ["automatic"]}}],
        "targets": [
        {"name": "A", "type": "regular", "exclude": [], "settings": [], "dependencies": []},
        {"name": "ATests", "type": "test", "exclude": [], "settings": [], "dependencies": [{"byName": ["A", null]}]}],
        "toolsVersion": {"_version": "6.0.0"}}
        """

    private func change(_ old: String = Self.manifest, to new: String) throws -> ManifestChange {
        ManifestChange(from: try JSONParser.parse(old), to: try JSONParser.parse(new))
    }

    private func change(_ old: String, with new: String) throws -> ManifestChange {
        try #require(Self.manifest.contains(old))
        return try change(
            to: Self.manifest.split(separator: old, omittingEmptySubsequences: false).joined(separator: new))
    }

    @Test(arguments: [
        (#""/a""#, #""/b""#), (#""exclude": []"#, #""exclude": ["CMakeLists.txt", "A.docc", "Notes.md"]"#),
        (#""products": ["#, #""products": [{"name": "B", "targets": ["A"], "type": {"library": ["automatic"]}},"#),
    ])
    func equalPackagesHaveNoDifference(_ old: String, _ new: String) throws {
        let none = try change(to: Self.manifest)
        #expect(none.everything == nil && none.targets.isEmpty && !none.changesDependencies)
        #expect(try change(old, with: new) == none)
    }

    @Test(arguments: [
        (#""byName": ["A", null]"#, #""byName": ["B", null]"#, ["ATests"]),
        (#""exclude": []"#, #""exclude": ["Data"]"#, ["A", "ATests"]),
        (#""settings": []"#, #""settings": [{"kind": {"define": {"_0": "X"}}, "tool": "swift"}]"#, ["A", "ATests"]),
        (#"{"name": "A", "type""#, #"{"name": "B", "type": "executable"}, {"name": "A", "type""#, ["B"]),
    ])
    func changedTargetsAreNamed(_ old: String, _ new: String, _ names: [String]) throws {
        let change = try change(old, with: new)
        #expect(change.targets == Set(names) && change.everything == nil && !change.changesDependencies)
    }

    @Test(arguments: [
        ("6.0.0", "6.1.0"), (#""name": "app""#, #""name": "b""#),
        (#""toolsVersion""#, #""providers": [], "toolsVersion""#),
        (#"{"library": ["automatic"]}"#, #"{"library": ["dynamic"]}"#),
        (#"{"library": ["automatic"]}"#, #"{"executable": null}"#),
        (#"{"name": "A", "type""#, #"{"name": "B", "type""#),
        (#""settings": []"#, #""settings": [{"kind": {"linkedLibrary": {"_0": "z"}}, "tool": "linker"}]"#),
        (
            #""targets": [{"#,
            #""targets": [{"name": "N", "settings": [{"kind": {}, "tool": "linker"}]}, {"#
        ),
    ])
    func otherChangesConcernAllTests(_ old: String, _ new: String) throws {
        let manifest = Self.manifest.split(separator: "[\n{").joined(separator: "[{")
        let changed = manifest.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
        #expect(try change(manifest, to: changed).everything != nil)
    }

    @Test func dependenciesConcernTheirUsers() throws {
        let change = try change(#""dependencies": [], "platforms""#, with: #""dependencies": [1], "platforms""#)
        #expect(change.changesDependencies && change.everything == nil && change.targets.isEmpty)
    }

    @Test func theOrderOfTraitsIsRandom() throws {
        func manifest(_ traits: String) -> String { "{\"traits\": [\(traits)]}" }
        let (one, two) = (#"{"name": "A", "enabledTraits": ["B", "C"]}"#, #"{"name": "B", "enabledTraits": []}"#)
        let old = manifest("\(one), \(two)")
        let swapped = manifest(#"\#(two), {"name": "A", "enabledTraits": ["C", "B"]}"#)
        #expect(try change(old, to: swapped).everything == nil)
        #expect(try change(old, to: manifest(one)).everything == "changes 'traits'")
        #expect(try change(old, to: manifest(#"{"name": "A", "enabledTraits": ["B"]}, \#(two)"#)).everything != nil)
    }

    @Test func versionsForAvailabilityDoNotCountOnLinux() throws {
        func setting(_ value: String) -> String {
            #""settings": [{"kind": {"enableExperimentalFeature": {"_0": "\#(value)"}}, "tool": "swift"}]"#
        }
        #if os(Linux)
            #expect(try change(#""settings": []"#, with: setting("AvailabilityMacro=A 1: macOS 13")).targets.isEmpty)
        #endif
        #expect(try change(#""settings": []"#, with: setting("AvailabilityMacro=A 1: Linux 1")).targets.count == 2)
        #expect(try change(#""settings": []"#, with: setting("Lifetimes")).targets.count == 2)
    }

    @Test func minimumVersionsOfSystemsDoNotCountOnLinux() throws {
        let change = try change(
            #""platforms": []"#, with: #""platforms": [{"platformName": "macos", "version": "13"}]"#)
        #if os(Linux)
            #expect(change.everything == nil)
        #else
            #expect(change.everything == "changes 'platforms'")
        #endif
    }

    @Test(arguments: [
        ("let files = FileManager.default.enumerator(atPath: Context.packageDirectory)", true),
        ("let text = try? String(contentsOfFile: path)", true), ("let d = open(\"x\", 0)", true),
        ("let path = #filePath", true), ("case .system, .binary: break // an open source package", false),
        (#".package(url: "https://a/b.git", from: "1.0.0")"#, false), ("Context.environment[\"X\"]", false),
    ])
    func manifestsMayReadFiles(_ text: String, _ expected: Bool) {
        #expect(ManifestChange.mayReadFiles(Array(text.utf8)) == expected)
    }
}
