import OperatingSystem
import Text

/// The system libraries that programs must link if they use a package.
///
/// The compiler links the libraries of public imports automatically, but not those of internal imports.
enum SystemLibraries {
    /// Returns the libraries in the module map of a system library, or those of `pkg-config` if the module map names
    /// none.
    static func names(inModuleMap path: String, pkgConfig: String?, _ tools: ToolRunner) -> [String] {
        let linked = (try? readText(path)).map(links) ?? []
        guard linked.isEmpty, let pkgConfig,
            let flags = try? tools.text("pkg-config", ["--libs-only-l", pkgConfig], in: parentDirectory(path))
        else { return linked }
        return flags.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("-l") }.map { String($0.dropFirst(2)) }
    }

    /// Returns the libraries of `link "name"` in a module map, without frameworks.
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

    /// Returns the words of a module map without comments.
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
                let end = Substring(rest).range(of: "*/")?.upperBound ?? rest.endIndex
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
