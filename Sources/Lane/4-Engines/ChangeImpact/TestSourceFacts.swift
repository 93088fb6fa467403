import SwiftPackages
import Text

/// The facts about the sources of a test target and of the test libraries that it uses.
struct TestSourceFacts: Sendable, Equatable {
    /// The paths that the tests read, each for all files below it.
    var reads: Set<String> = []
    /// The words of all string literals.
    var words: Set<String> = []
    /// A Boolean value that indicates whether the tests look for the products of the build, such as programs.
    var findsProducts = false
    var listsDirectories = false

    /// Words that occur where tests look for a built program.
    private static let productWords: Set<String> = [
        "Bundle", "CommandLine", "ProcessInfo", "Process", "_NSGetExecutablePath", "dladdr", "posix_spawn",
        "posix_spawnp", "execve", "popen", "system", "Subprocess",
    ]
    private static let productTexts = ["/proc/self/exe", ".build"]
    private static let listingWords: Set<String> = [
        "enumerator", "contentsOfDirectory", "subpathsOfDirectory", "subpaths", "opendir", "scandir", "fts_open",
        "nftw", "glob",
    ]

    /// Returns the facts about test targets by name.
    static func facts(
        of graph: PackageGraph, reachable: [String: Set<String>], sources: [String: [SourceText]]
    ) -> [String: TestSourceFacts] {
        var tokens: [String: [(path: String, tokens: [SwiftToken])]] = [:]
        func scanned(_ target: String) -> [(path: String, tokens: [SwiftToken])] {
            if let known = tokens[target] { return known }
            let result = (sources[target] ?? []).map { (path: $0.path, tokens: SwiftScanner.tokens(of: $0.text[...])) }
            tokens[target] = result
            return result
        }
        let libraries = Set(graph.targets.filter(\.isTestSupport).map(\.name))
        var result: [String: TestSourceFacts] = [:]
        for target in graph.testTargets {
            guard target.isSwift else {
                result[target.name] = TestSourceFacts(reads: [""])
                continue
            }
            let used = libraries.intersection(reachable[target.name] ?? []).sorted()
            var uses = PathUses(directory: graph.directory)
            uses.add(used.flatMap(scanned), isLibrary: true)
            uses.add(scanned(target.name))
            var facts = TestSourceFacts(reads: uses.reads)
            for file in (used + [target.name]).flatMap(scanned) { facts.add(file.tokens) }
            result[target.name] = facts
        }
        return result
    }

    mutating func add(_ tokens: [SwiftToken]) {
        for token in tokens {
            switch token {
            case .word(let word):
                if Self.productWords.contains(word) { findsProducts = true }
                if Self.listingWords.contains(word) { listsDirectories = true }
            case .literal(let pieces, _): for piece in pieces { add(piece) }
            default: break
            }
        }
    }

    private mutating func add(_ piece: SwiftToken.Piece) {
        switch piece {
        case .code(let tokens): add(tokens)
        case .text(let text):
            if Self.productTexts.contains(where: text.contains) { findsProducts = true }
            for word in text.utf8.split(whereSeparator: { $0.isSpace || ":;,'\"()`".utf8.contains($0) }) {
                var word = String(Substring(word))
                if word.utf8.starts(with: "./".utf8) { word.removeFirst(2) }
                words.insert(word)
            }
        }
    }
}

/// A source file.
package struct SourceText: Sendable {
    /// The path relative to the root of the repository.
    let path: String
    let text: [UInt8]

    package init(path: String, text: [UInt8]) {
        self.path = path
        self.text = text
    }

    /// The modules that the file imports, including those in branches of `#if` that may not be compiled.
    var imports: Set<String> {
        var result: Set<String> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard !line.drop(while: \.isSpace).starts(with: "//".utf8) else { continue }
            let words = line.split { !$0.isIdentifierContinuation && !"@(.".utf8.contains($0) && $0 < 0x80 }
            guard let place = words.firstIndex(where: { $0.elementsEqual("import".utf8) }), place + 1 < words.count,
                words[..<place].allSatisfy(Self.mayPrecedeImport)
            else { continue }
            let isKind = Self.kinds.contains(String(decoding: words[place + 1], as: UTF8.self))
            guard let name = words.dropFirst(place + (isKind ? 2 : 1)).first else { continue }
            let module = name.prefix { $0 != UInt8(ascii: ".") }
            result.insert(String(decoding: module, as: UTF8.self))
        }
        return result
    }

    private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

    private static func mayPrecedeImport(_ word: ArraySlice<UInt8>) -> Bool {
        word.first == UInt8(ascii: "@")
            || ["public", "package", "internal", "fileprivate", "private"].contains { word.elementsEqual($0.utf8) }
    }
}
