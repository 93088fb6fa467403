/// A tool whose files `lane init --from` translates to lanes.
package enum ForeignTool: String, CaseIterable, Sendable {
    case just, make, fastlane

    /// The possible files of the tool, relative to the root of the package. The tool reads the first that exists.
    package var files: [String] {
        switch self {
        case .just: ["justfile", "Justfile", ".justfile"]
        case .make: ["GNUmakefile", "makefile", "Makefile"]
        case .fastlane: ["fastlane/Fastfile", "Fastfile", ".fastlane/Fastfile"]
        }
    }

    /// Returns the lanes that are equivalent to the recipes, targets or lanes of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, relative to the root of the package.
    ///   - reserved: The names that lanes cannot have.
    package func translate(_ text: String, at path: String, reserved: Set<String>) -> Translation {
        var translation =
            switch self {
            case .just: Justfile.translation(of: text)
            case .make: Makefile.translation(of: text)
            case .fastlane:
                Fastfile.translation(of: text, in: path.split(separator: "/").dropLast().joined(separator: "/"))
            }
        translation.rename(avoiding: reserved)
        return translation
    }

    /// Returns the command line that runs a recipe, target or lane of the tool.
    func command(_ name: String, parameters: [TranslatedLane.Parameter]) -> String {
        let values = parameters.map { parameter in
            let value = parameter.isVariadic ? "$\(parameter.original)" : parameter.expression
            return self == .fastlane ? " \(parameter.original):\(value)" : " \(value)"
        }
        return "\(rawValue) \(name)\(values.joined())"
    }
}
