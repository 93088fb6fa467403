import SwiftPackages
package import Text

/// The difference between two versions of a package's manifest, as `swift package dump-package` prints them.
package struct ManifestChange: Sendable, Equatable {
    /// The reason why the change concerns all tests, or `nil` if it does not.
    var everything: String?
    /// The targets whose declarations differ.
    var targets: Set<String> = []
    /// A Boolean value that indicates whether the dependencies on other packages differ.
    var changesDependencies = false

    /// Words in the code of manifests that read files or the repository.
    private static let readingWords: Set<String> = [
        "FileManager", "FileHandle", "Data", "NSData", "URL", "NSURL", "contentsOf", "contentsOfFile", "Bundle",
        "Process", "packageDirectory", "gitInformation", "#filePath", "#file", "#fileID", "currentDirectoryPath",
    ]
    private static let readingFunctions: Set<String> = [
        "fopen", "open", "opendir", "stat", "lstat", "access", "getcwd", "readlink", "popen", "system", "posix_spawn",
        "posix_spawnp", "dlopen", "glob", "scandir",
    ]

    /// Returns a Boolean value that indicates whether a manifest may read files, so that its targets may differ although
    /// its text does not.
    package static func mayReadFiles(_ manifest: [UInt8]) -> Bool {
        var words: Set<String> = []
        let tokens = SwiftScanner.tokens(of: manifest)
        for token in tokens { add(token, to: &words) }
        return !words.isDisjoint(with: readingWords)
            || tokens.indices.dropLast().contains { index in
                tokens[index].word.map(readingFunctions.contains) == true && tokens[index + 1].is("(")
            }
    }

    /// Adds the words of a token, including those of interpolations. An attribute is the word after its `@`.
    private static func add(_ token: SwiftToken, to words: inout Set<String>) {
        switch token {
        case .word(let word): words.insert(word.filter { $0 != "`" && $0 != "@" })
        case .literal(let pieces):
            for case .code(let tokens) in pieces { for token in tokens { add(token, to: &words) } }
        default: break
        }
    }

    package init(from old: JSONNode, to new: JSONNode) {
        let (before, after) = (Self.members(old), Self.members(new))
        for name in Set(before.keys).union(after.keys).sorted() where before[name] != after[name] {
            switch name {
            case "packageKind": break
            case "dependencies": changesDependencies = true
            case "platforms" where Self.ignoresPlatforms: break
            // Their order is random.
            case "traits" where Self.traits(old) == Self.traits(new): break
            case "products": everything = Self.changesLibrariesOnly(old, new) ? everything : "changes a product"
            case "targets": compareTargets(old, new)
            default: everything = everything ?? "changes '\(name)'"
            }
        }
    }

    /// A Boolean value that indicates whether the compiler uses no minimum versions of systems.
    private static var ignoresPlatforms: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    private mutating func compareTargets(_ old: JSONNode, _ new: JSONNode) {
        let (before, after) = (Self.elements("targets", of: old), Self.elements("targets", of: new))
        for (name, target) in before {
            guard let other = after[name] else {
                // Tests may look for its products.
                everything = everything ?? "removes the target '\(name)'"
                continue
            }
            if Self.text(target) != Self.text(other) { targets.insert(name) }
            if Self.linkerSettings(target) != Self.linkerSettings(other) {
                everything = everything ?? "changes how '\(name)' is linked"
            }
        }
        for (name, target) in after where before[name] == nil {
            targets.insert(name)
            if !Self.linkerSettings(target).isEmpty { everything = everything ?? "changes how '\(name)' is linked" }
        }
    }

    /// Returns a Boolean value that indicates whether all products that differ are libraries without a type.
    private static func changesLibrariesOnly(_ old: JSONNode, _ new: JSONNode) -> Bool {
        let (before, after) = (elements("products", of: old), elements("products", of: new))
        return Set(before.keys).union(after.keys).allSatisfy { name in
            let versions = [before[name], after[name]]
            return versions.allSatisfy { $0?["type"]?["library"]?.array?.first?.string == "automatic" || $0 == nil }
                || versions[0].map(text) == versions[1].map(text)
        }
    }

    /// All test targets are linked into one binary.
    private static func linkerSettings(_ target: JSONNode) -> [String] {
        (target["settings"]?.array ?? []).filter { $0["tool"]?.string == "linker" }.map(text)
    }

    private static func elements(_ name: String, of manifest: JSONNode) -> [String: JSONNode] {
        let named = (manifest[name]?.array ?? []).map { ($0["name"]?.string ?? "", $0) }
        return Dictionary(named) { first, _ in first }
    }

    private static func members(_ manifest: JSONNode) -> [String: String] {
        Dictionary((manifest.members ?? []).map { ($0.name, text($0.value)) }) { first, _ in first }
    }

    /// Returns a value as text without excluded documents, which a build ignores anyway.
    private static func text(_ node: JSONNode) -> String {
        switch node.content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value):
            "\"\(value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
        case .array(let values):
            "[\(values.filter { !(ignoresPlatforms && isAvailabilityMacro($0)) }.map(text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\($0.name):\($0.name == "exclude" ? excluded($0.value) : text($0.value))" }.joined(separator: ","))}"
        }
    }

    /// Returns a Boolean value that indicates whether a setting names versions of systems for `@available`.
    private static func isAvailabilityMacro(_ setting: JSONNode) -> Bool {
        guard let value = setting["kind"]?["enableExperimentalFeature"]?["_0"]?.string else { return false }
        return value.hasPrefix("AvailabilityMacro=") && !value.lowercased().contains("linux")
    }

    /// Returns the name of each trait with those that it enables.
    private static func traits(_ manifest: JSONNode) -> Set<[String]> {
        Set(
            (manifest["traits"]?.array ?? []).map { trait in
                let enabled = (trait["enabledTraits"]?.array ?? []).map { $0.string ?? "" }
                return [trait["name"]?.string ?? ""] + enabled.sorted()
            })
    }

    private static func excluded(_ paths: JSONNode) -> String {
        (paths.array ?? []).compactMap(\.string)
            .filter { !ChangeImpact.isDocumentation($0) && !$0.hasSuffix(".docc") }.joined(separator: ",")
    }
}

extension ChangeImpact {
    /// Returns a Boolean value that indicates whether a file is a manifest of the package.
    package func isManifest(_ file: String) -> Bool {
        guard let own = inPackage(file) else { return false }
        return own == "Package.swift" || (own.hasPrefix("Package@swift") && own.hasSuffix(".swift"))
    }

    /// Returns the reason why a changed manifest, or changed versions of dependencies, concern a test target.
    func reason(for target: PackageGraph.Target, manifest change: ManifestChange, _ file: String) -> String? {
        let reached = reached[target.name] ?? [:]
        if isManifest(file), let changed = change.targets.filter({ reached[$0] != nil }).min() {
            return "changes \(way(to: changed, in: reached))"
        }
        guard !isManifest(file) || change.changesDependencies,
            graph.targets.contains(where: { reached[$0.name] != nil && $0.usesOtherPackages })
        else { return nil }
        return "changes packages that the tests use"
    }
}
