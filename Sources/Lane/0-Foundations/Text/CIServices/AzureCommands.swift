/// The logging commands of Azure Pipelines.
package struct AzureCommands: LogCommands {
    /// The maximum number of annotations.
    private static let limit = 50

    package init() {}

    package func groupStart(_ name: String) -> String { "##[group]\(Self.escaped(name))\n" }
    package var groupEnd: String { "##[endgroup]\n" }
    package func mask(_ line: String) -> String { "##vso[task.setsecret]\(Self.escaped(line))\n" }

    package func lines(for annotations: [LogAnnotation]) -> [String] {
        let shown = annotations.prefix(Self.limit).map(Self.line)
        let rest = annotations.dropFirst(Self.limit)
        guard !rest.isEmpty else { return shown }
        // An error would mark a job that succeeded as failed.
        let type = rest.contains(where: \.isError) ? "error" : "warning"
        return shown + ["##vso[task.logissue type=\(type);]\(rest.count) more; the log lists all of them"]
    }

    private static func line(for annotation: LogAnnotation) -> String {
        var properties = ["type=\(annotation.isError ? "error" : "warning")"]
        if let place = annotation.place {
            let path = escaped(place.path).replacing(";", with: "%3B").replacing("]", with: "%5D")
            properties.append("sourcepath=\(path)")
            properties.append("linenumber=\(place.line)")
            if let column = place.column { properties.append("columnnumber=\(column)") }
        }
        let text = escaped("\(annotation.title): \(annotation.text)")
        return "##vso[task.logissue \(properties.map { $0 + ";" }.joined())]\(text)"
    }

    /// Escapes the text after `]`. In a property before it, `;` and `]` have a meaning, too.
    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%AZP25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
