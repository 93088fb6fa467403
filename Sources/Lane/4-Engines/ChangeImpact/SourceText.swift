import Text

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
