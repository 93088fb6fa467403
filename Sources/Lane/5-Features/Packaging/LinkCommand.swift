import OperatingSystem
import Text

/// The command that linked an executable, as recorded by SwiftPM's native build system. A modified copy links the
/// executable again without a build.
struct LinkCommand: Equatable {
    /// The linker and its arguments.
    let words: [String]

    /// Finds the command. Returns `nil` if it is not recorded in the expected form.
    ///
    /// - Parameter notes: The text of a build's `release.yaml`, in which the words of a command are one line of JSON.
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

    /// Returns a command that links the C library of the system dynamically and writes to `path`, or `nil` if this is
    /// not possible.
    func sharingTheCLibrary(into path: String) -> LinkCommand? {
        let isFull = { (word: String) in word == "-static-executable" }
        guard words.count(where: isFull) == 1, let output = words.firstIndex(of: "-o") else { return nil }
        var words = words
        words[output + 1] = path
        words.removeAll(where: isFull)
        return LinkCommand(words)
    }
}
