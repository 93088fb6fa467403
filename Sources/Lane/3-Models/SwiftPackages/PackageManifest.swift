package import OperatingSystem
package import Text

/// A package as its manifest declares it, by `swift package dump-package`.
///
/// `PackageDescription` adds what SwiftPM finds in the directories of the targets.
package struct PackageManifest: Sendable, Equatable {
    /// A product of a package.
    package struct Product: Sendable, Equatable {
        package let name: String
        /// The kind in the manifest, such as `executable` or `plugin`.
        package let kind: String
        package let targets: [String]

        package var isExecutable: Bool { kind == "executable" }
        package var isLibrary: Bool { kind == "library" }

        init?(_ node: JSONNode) {
            guard let name = node["name"]?.string, let kind = node["type"]?.members?.first?.name else { return nil }
            (self.name, self.kind, targets) = (name, kind, node.strings("targets"))
        }
    }

    /// The name of the package.
    package let name: String?
    package let products: [Product]
    package let targets: [Target]
    /// The minimum versions of platforms by name.
    package let platforms: [String: SemanticVersion]
    package let toolsVersion: SemanticVersion?

    /// Evaluates the manifest of the package in a directory.
    ///
    /// - Parameter options: The options of SwiftPM, such as `--scratch-path`.
    package static func read(
        _ tools: ToolRunner, in directory: String, options: [String] = [], timeout: Duration? = nil
    ) throws(OperationFailure) -> PackageManifest {
        PackageManifest(try tools.askPackage(["dump-package"], options, in: directory, timeout: timeout))
    }

    /// Creates a manifest from the output of `swift package dump-package`.
    package init(_ node: JSONNode) {
        name = node["name"]?.string
        products = (node["products"]?.array ?? []).compactMap(Product.init)
        targets = (node["targets"]?.array ?? []).compactMap(Target.init)
        platforms = (node["platforms"]?.array ?? []).reduce(into: [:]) { platforms, node in
            guard let name = node["platformName"]?.string else { return }
            platforms[name] = node["version"]?.string.flatMap(Self.version)
        }
        toolsVersion = node["toolsVersion"]?["_version"]?.string.flatMap(Self.version)
    }

    /// Returns the version of `10.15` or `13`.
    private static func version(_ text: String) -> SemanticVersion? {
        let parts = text.split(separator: ".").count
        return SemanticVersion(text + String(repeating: ".0", count: max(0, 3 - parts)))
    }
}

extension JSONNode {
    /// Returns the strings in the array that is the value of a member.
    func strings(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }
}

extension ToolRunner {
    /// Returns an answer of `swift package` about a package.
    func askPackage(
        _ words: [String], _ options: [String], in directory: String, timeout: Duration? = nil
    ) throws(OperationFailure) -> JSONNode {
        let text = try text("swift", ["package"] + options + words, in: directory, timeout: timeout)
        // SwiftPM may print messages before the description.
        guard let node = try? JSONParser.parse(String(text.drop { $0 != "{" })) else {
            throw OperationFailure("'swift package \(words[0])' did not describe the package")
        }
        return node
    }
}
