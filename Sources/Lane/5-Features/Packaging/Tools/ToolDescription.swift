import Actions
import Expressions
import Git
import LaneModel
import OperatingSystem
import Text

/// Values from the files of a package for those who install its programs.
struct ToolDescription {
    /// One line about the programs.
    let summary: String
    /// The SPDX identifier of the license, or `nil` if it is unknown.
    let license: String?

    /// - Parameter directory: The directory of the package.
    init(_ settings: Settings, of name: String, in directory: String) {
        let names = ((try? listDirectory(directory)) ?? []).sorted()
        func text(_ prefixes: [String]) -> String {
            let name = names.first { name in prefixes.contains { name.uppercased().hasPrefix($0) } }
            return name.flatMap { try? readText("\(directory)/\($0)") } ?? ""
        }
        summary = settings.string("description") ?? Self.firstSentence(text(["README"])) ?? name
        license = PackageRecord.license(text(["LICEN", "COPYING"]))
    }

    /// Returns the line that installers show. It starts with a capital letter and neither with the name of the package nor
    /// with an article, ends without a period, and has at most 80 characters: `lintian` and `brew style` reject others.
    static func synopsis(_ summary: String, of name: String) -> String {
        var words = summary.split(separator: " ").map(String.init)
        if words.first?.lowercased() == name.lowercased() { words.removeFirst() }
        if words.first == "is" { words.removeFirst() }
        if let first = words.first, ["a", "an", "the"].contains(first.lowercased()) { words.removeFirst() }
        while words.joined(separator: " ").count > 80 { words.removeLast() }
        var line = words.joined(separator: " ")
        while line.hasSuffix(".") { line.removeLast() }
        return line.isEmpty ? "Command-line tools of \(name)" : line.prefix(1).uppercased() + line.dropFirst()
    }

    /// Returns the first sentence of a document in Markdown, without a period, or `nil` if there is none. Skips headings,
    /// badges and HTML.
    static func firstSentence(_ document: String) -> String? {
        var sentence = ""
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            let isText = line.first.map { !"#=-[!<>|`".contains($0) } ?? false
            guard isText else {
                if sentence.isEmpty { continue }
                break
            }
            // A line of signs underlines a heading.
            sentence += (sentence.isEmpty ? "" : " ") + line
        }
        if let end = sentence.range(of: ". ") { sentence = String(sentence[..<end.lowerBound]) }
        while sentence.hasSuffix(".") { sentence.removeLast() }
        sentence = String(sentence.filter { !"`*_".contains($0) })
        return sentence.isEmpty ? nil : sentence
    }
}
