import OperatingSystem
import SwiftPackages

/// The command that linked an executable, as recorded by SwiftPM's native build system. A modified copy links the
/// executable again without a build.
struct LinkCommand: Equatable {
    /// The linker and its arguments.
    let words: [String]

    /// Finds the command. Returns `nil` if it is not recorded in the expected form.
    ///
    /// - Parameter plan: The text of a build's `release.yaml`.
    init?(of product: String, in plan: String) {
        let commands = BuildPlan.commands(with: "-emit-executable", in: plan)
        let own = commands.first { words in
            guard let output = words.firstIndex(of: "-o") else { return false }
            return words.dropFirst(output + 1).first?.pathComponents.last == product[...]
        }
        guard let own else { return nil }
        words = own
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
