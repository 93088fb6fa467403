import Files
import JSON

/// The command with which SwiftPM has linked a program, as its native build system notes it down: so a program that is
/// built can be linked in another way, without being built again.
struct LinkCommand: Equatable {
    /// The linking program itself comes first.
    let words: [String]

    /// `nil` where the notes do not have it, or not in this form.
    ///
    /// - Parameter notes: The text of a build's `release.yaml`, where the words of a command are one line of JSON.
    init?(of product: String, in notes: String) {
        let mark = "args: "
        for line in notes.lines where line.range(of: "\"-emit-executable\"") != nil {
            guard let start = line.range(of: mark),
                let words = try? JSONParser.parse(String(line[start.upperBound...])).array?.compactMap(\.string),
                let output = words.firstIndex(of: "-o"), words.indices.contains(output + 1),
                words[output + 1].pathComponents.last == product[...]
            else { continue }
            self.words = words
            return
        }
        return nil
    }

    private init(_ words: [String]) { self.words = words }

    /// The same with the C library of the system, which writes to `path`; `nil` where that was not linked in.
    func sharingTheCLibrary(into path: String) -> LinkCommand? {
        let isFull = { (word: String) in word == "-static-executable" }
        guard words.count(where: isFull) == 1, let output = words.firstIndex(of: "-o") else { return nil }
        var words = words
        words[output + 1] = path
        words.removeAll(where: isFull)
        return LinkCommand(words)
    }
}
