import CLibrary
import OperatingSystem
import Text

/// The text of the manifests of a package, which determine the inputs of a build.
///
/// Whether a build can be omitted is decided without `swift`, which takes longer than the rest of the run. So manifests are
/// searched for words and not run. A word that may refer to files outside the package counts as such a reference.
package struct ManifestText {
    let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    /// The words that may make the build depend on files outside the directory, without whitespace.
    private static let wideWords =
        wordsOfPaths
        + [
            "environment", "gitInformation", "@_", "lugin", "systemLibrary", "pkgConfig", "unsafeFlags", "binaryTarget",
        ].map { Array($0.utf8) }

    private static let wordsOfPaths = ["package(path", "package(name", "../"].map { Array($0.utf8) }

    /// A Boolean value that indicates whether a build depends only on files in the directory.
    ///
    /// All manifests for specific tools versions are checked, because each of them may replace `Package.swift`.
    package var dependsOnlyOnItsDirectory: Bool { holdsNone(of: Self.wideWords) }

    /// A Boolean value that indicates whether no manifest refers to packages or files in other directories.
    package var refersToNoOtherDirectory: Bool { holdsNone(of: Self.wordsOfPaths) }

    private func holdsNone(of words: [[UInt8]]) -> Bool {
        guard let names = try? listDirectory(directory), names.contains("Package.swift") else { return false }
        let manifests = names.filter {
            $0 == "Package.swift" || $0.hasPrefix("Package@swift-") && $0.hasSuffix(".swift")
        }
        return manifests.allSatisfy { name in
            guard let text = try? readFile("\(directory)/\(name)") else { return false }
            let tokens = SwiftScanner.tokens(of: text[...])
            guard Self.importsNothingElse(tokens) else { return false }
            var code: [UInt8] = []
            Self.add(tokens, to: &code)
            return !words.contains { Self.holds($0, code) }
        }
    }

    /// Returns a Boolean value that indicates whether a manifest imports only `PackageDescription`. Other modules could
    /// access any files.
    private static func importsNothingElse(_ tokens: [SwiftToken]) -> Bool {
        tokens.indices.allSatisfy { index in
            guard tokens[index].word == "import" else { return true }
            return tokens[(index + 1)...].first?.word == "PackageDescription"
        }
    }

    /// Adds the text of tokens without white space.
    private static func add(_ tokens: [SwiftToken], to code: inout [UInt8]) {
        for token in tokens {
            switch token {
            case .word(let word): code += word.utf8
            case .symbol(let symbol): code.append(symbol)
            case .lineBreak: break
            case .literal(let pieces, _):
                for piece in pieces {
                    switch piece {
                    case .text(let text): code += text.utf8.filter { !$0.isSpace }
                    case .code(let tokens): add(tokens, to: &code)
                    }
                }
            }
        }
    }

    /// Returns a Boolean value that indicates whether a text contains a word. The standard library's search would take
    /// 0.1 s for a large manifest.
    private static func holds(_ word: [UInt8], _ text: [UInt8]) -> Bool {
        var start = 0
        return text.withUnsafeBytes { text in
            while let base = text.baseAddress, start + word.count <= text.count,
                let found = memchr(base + start, Int32(word[0]), text.count - word.count - start + 1)
            {
                if memcmp(found, word, word.count) == 0 { return true }
                start = UnsafeRawPointer(found) - base + 1
            }
            return false
        }
    }
}
