import Text

/// The plan of a build, into which SwiftPM's native build system writes each command as a line of JSON.
package enum BuildPlan {
    /// Returns the words of the commands that contain a word.
    ///
    /// - Parameter text: The text of `debug.yaml` or `release.yaml`.
    package static func commands(with word: String, in text: String) -> [[String]] {
        text.lines.filter { $0.contains("\"\(word)\"") }.compactMap { line in
            guard let start = line.range(of: "args: ")?.upperBound else { return nil }
            return (try? JSONParser.parse(String(line[start...])))?.array?.compactMap(\.string)
        }
    }
}
