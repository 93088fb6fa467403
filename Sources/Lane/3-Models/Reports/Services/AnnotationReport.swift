package import Events

/// A report of failures as commands of a CI service, in the order of `Annotation.all`. It is written at the end of the
/// run.
package final class AnnotationReport: EventReceiver {
    private let lines: ([Annotation]) -> [String]
    private let write: Sink

    private init(_ lines: @escaping ([Annotation]) -> [String], write: @escaping Sink) {
        self.lines = lines
        self.write = write
    }

    /// Returns a report for GitHub. `root` is the path of the package in the repository, either empty or with a
    /// trailing `/`. Paths in the report are relative to the repository.
    package static func github(root: String = "", write: @escaping Sink) -> AnnotationReport {
        AnnotationReport({ GitHubCommands.lines(for: $0, root: root) }, write: write)
    }

    /// Returns a report for Azure Pipelines.
    package static func azure(root: String = "", write: @escaping Sink) -> AnnotationReport {
        AnnotationReport({ AzureCommands.lines(for: $0, root: root) }, write: write)
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        let lines = lines(Annotation.all(of: run))
        if !lines.isEmpty { write(Array(lines.map { $0 + "\n" }.joined().utf8)) }
    }
}

extension Annotation {
    /// Returns the location in the repository, or `nil` for a file outside it.
    fileprivate func place(below root: String) -> SourceLocation? {
        guard let location, !location.path.hasPrefix("/") else { return nil }
        return SourceLocation(path: root + location.path, line: location.line, column: location.column)
    }
}

/// Commands for annotations of pull requests.
///
/// GitHub shows the first ten errors and ten warnings of a step, and drops the rest silently. The tenth command
/// therefore contains the number of remaining ones.
private enum GitHubCommands {
    static let limit = 10

    static func lines(for annotations: [Annotation], root: String) -> [String] {
        capped(annotations.filter { $0.isError }, "error", root)
            + capped(annotations.filter { !$0.isError }, "warning", root)
    }

    private static func capped(_ annotations: [Annotation], _ command: String, _ root: String) -> [String] {
        guard annotations.count > limit else { return annotations.map { line(for: $0, command, root) } }
        let shown = annotations.prefix(limit - 1).map { line(for: $0, command, root) }
        let rest = annotations.count - shown.count
        return shown + ["::\(command)::\(rest) more \(command)s; the job summary and the log list all of them"]
    }

    private static func line(for annotation: Annotation, _ command: String, _ root: String) -> String {
        var properties: [(String, String)] = []
        if let place = annotation.place(below: root) {
            properties.append(("file", place.path))
            properties.append(("line", "\(place.line)"))
            if let column = place.column { properties.append(("col", "\(column)")) }
        }
        properties.append(("title", annotation.title))
        let list = properties.map { "\($0.0)=\(Escaping.githubProperty($0.1))" }.joined(separator: ",")
        return "::\(command) \(list)::\(Escaping.githubData(annotation.text))"
    }
}

/// The logging commands of Azure Pipelines.
private enum AzureCommands {
    /// The maximum number of annotations.
    static let limit = 50

    static func lines(for annotations: [Annotation], root: String) -> [String] {
        let shown = annotations.prefix(limit).map { line(for: $0, root) }
        let rest = annotations.dropFirst(limit)
        guard !rest.isEmpty else { return shown }
        // An error would mark a job that succeeded as failed.
        let type = rest.contains(where: \.isError) ? "error" : "warning"
        return shown + ["##vso[task.logissue type=\(type);]\(rest.count) more; the log lists all of them"]
    }

    private static func line(for annotation: Annotation, _ root: String) -> String {
        var properties = ["type=\(annotation.isError ? "error" : "warning")"]
        if let place = annotation.place(below: root) {
            properties.append("sourcepath=\(Escaping.azureProperty(place.path))")
            properties.append("linenumber=\(place.line)")
            if let column = place.column { properties.append("columnnumber=\(column)") }
        }
        let text = Escaping.azureData("\(annotation.title): \(annotation.text)")
        return "##vso[task.logissue \(properties.map { $0 + ";" }.joined())]\(text)"
    }
}
