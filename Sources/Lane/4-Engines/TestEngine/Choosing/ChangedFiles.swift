import Events
import OperatingSystem
import SwiftPackages

/// The changed files since the last run, and the tests that they affect. A change affects the tests in the changed
/// file, and in files that contain the name of a type or function that the changed file declares.
///
/// The files are only split into words, because the result determines nothing but the order of tests.
struct ChangedFiles {
    private let paths: Set<String>
    private let declared: Set<ArraySlice<UInt8>>
    private let root: String
    private var known: [String: Bool] = [:]

    /// Creates changed files. `paths` are relative to `root`.
    init(_ paths: [String], root: String) {
        self.paths = Set(paths)
        self.root = root
        var declared: Set<ArraySlice<UInt8>> = []
        for path in paths where path.hasSuffix(".swift") {
            guard let text = try? readFile("\(root)/\(path)") else { continue }
            var previous: ArraySlice<UInt8> = []
            for word in text.swiftWords {
                if Self.keywords.contains(where: previous.elementsEqual) { declared.insert(word) }
                previous = word
            }
        }
        self.declared = declared
    }

    private static let keywords = ["class", "struct", "enum", "actor", "protocol", "extension", "func", "typealias"].map
    {
        Array($0.utf8)
    }

    /// Returns a Boolean value that indicates whether a change affects a test.
    mutating func touch(_ test: TestInfo) -> Bool {
        guard !paths.isEmpty, let path = test.location?.path else { return false }
        if let answer = known[path] { return answer }
        let answer = paths.contains(path) || names(path)
        known[path] = answer
        return answer
    }

    private func names(_ path: String) -> Bool {
        guard !declared.isEmpty, let text = try? readFile("\(root)/\(path)") else { return false }
        return text.swiftWords.contains { declared.contains($0) }
    }
}
