package import LaneEvents

/// Azure Pipelines' logging commands for what went wrong, in the order of `Annotation.all`, written when the run ends.
package final class AzureReport: Report {
    /// A page of issues that nobody reads to its end helps nobody.
    static let limit = 50

    private let root: String
    private let write: Sink

    /// `root` is the package's place in the repository, empty or ending in `/`.
    package init(root: String = "", write: @escaping Sink) {
        self.root = root
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        let annotations = Annotation.all(of: run)
        var lines = annotations.prefix(Self.limit).map(line)
        if annotations.count > Self.limit {
            let rest = annotations.count - Self.limit
            lines.append("##vso[task.logissue type=error;]\(rest) more; the log has all of them")
        }
        if !lines.isEmpty { write(Array(lines.map { $0 + "\n" }.joined().utf8)) }
    }

    private func line(for annotation: Annotation) -> String {
        var properties = ["type=\(annotation.isError ? "error" : "warning")"]
        if let location = annotation.location, !location.path.hasPrefix("/") {
            properties.append("sourcepath=\(Escaping.azureProperty(root + location.path))")
            properties.append("linenumber=\(location.line)")
            if let column = location.column { properties.append("columnnumber=\(column)") }
        }
        let text = Escaping.azureData("\(annotation.title): \(annotation.text)")
        return "##vso[task.logissue \(properties.map { $0 + ";" }.joined())]\(text)"
    }
}
