import Files
import LaneRun

/// What programs have to be linked with that use the system's libraries through a package.
///
/// Where a module is imported for the inside of another one only, nothing that a program sees names its libraries.
enum SystemLibraries {
    /// What the module map of a system library links, else what `pkg-config` says of it.
    static func names(inModuleMap path: String, pkgConfig: String?, _ tools: StepTools) -> [String] {
        let linked = (try? readText(path)).map(links) ?? []
        guard linked.isEmpty, let pkgConfig,
            let flags = try? tools.text("pkg-config", ["--libs-only-l", pkgConfig], in: parentDirectory(path))
        else { return linked }
        return flags.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("-l") }.map { String($0.dropFirst(2)) }
    }

    /// The libraries of `link "name"` in a module map; frameworks are found without.
    static func links(_ moduleMap: String) -> [String] {
        let words = words(moduleMap)
        return zip(words, words.dropFirst()).compactMap { word, next in
            guard case .plain("link") = word, case .quoted(let name) = next else { return nil }
            return name
        }
    }

    private enum Word: Equatable {
        case plain(String)
        case quoted(String)
    }

    /// Comments left out.
    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if first == "\"" {
                let name = rest.dropFirst().prefix { $0 != "\"" }
                words.append(.quoted(String(name)))
                rest = rest[name.endIndex...].dropFirst()
            } else if rest.starts(with: "//".unicodeScalars) {
                rest = rest.drop { $0 != "\n" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                let end = rest.firstRange(of: "*/".unicodeScalars)?.upperBound ?? rest.endIndex
                rest = rest[end...]
            } else {
                let word = rest.prefix { $0.properties.isAlphabetic || $0 == "_" }
                if !word.isEmpty { words.append(.plain(String(word))) }
                rest = rest[word.endIndex...].dropFirst(word.isEmpty ? 1 : 0)
            }
        }
        return words
    }
}
