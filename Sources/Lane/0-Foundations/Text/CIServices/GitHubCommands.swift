/// The workflow commands of GitHub.
///
/// GitHub shows the first ten errors and ten warnings of a step, and drops the rest silently. The tenth command
/// therefore contains the number of remaining ones.
package struct GitHubCommands: LogCommands {
    private static let limit = 10

    package init() {}

    package func groupStart(_ name: String) -> String { "::group::\(Self.escaped(name))\n" }
    package var groupEnd: String { "::endgroup::\n" }
    package func mask(_ line: String) -> String { "::add-mask::\(Self.escaped(line))\n" }

    package func lines(for annotations: [LogAnnotation]) -> [String] {
        Self.capped(annotations.filter { $0.isError }, "error")
            + Self.capped(annotations.filter { !$0.isError }, "warning")
    }

    private static func capped(_ annotations: [LogAnnotation], _ command: String) -> [String] {
        guard annotations.count > limit else { return annotations.map { line(for: $0, command) } }
        let shown = annotations.prefix(limit - 1).map { line(for: $0, command) }
        let rest = annotations.count - shown.count
        return shown + ["::\(command)::\(rest) more \(command)s; the job summary and the log list all of them"]
    }

    private static func line(for annotation: LogAnnotation, _ command: String) -> String {
        var properties: [(String, String)] = []
        if let place = annotation.place {
            properties += [("file", place.path), ("line", "\(place.line)")]
            if let column = place.column { properties.append(("col", "\(column)")) }
        }
        properties.append(("title", annotation.title))
        let list = properties.map { name, value in
            "\(name)=\(escaped(value).replacing(":", with: "%3A").replacing(",", with: "%2C"))"
        }
        return "::\(command) \(list.joined(separator: ","))::\(escaped(annotation.text))"
    }

    /// Escapes the text after `::`. In a property before it, `:` and `,` have a meaning, too.
    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
