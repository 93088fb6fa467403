package import LaneEvents

/// Workflow commands that put failures on the changed lines of a pull request, written when the run ends.
///
/// GitHub shows ten errors and ten warnings of a step, first come first served, and drops the others without a word.
/// So they are ranked here: build errors and crashes first, one place once, and the last of ten tells how many more
/// there are.
package final class GitHubReport: Report {
    static let limit = 10

    private let root: String
    private let write: Sink

    /// `root` is the package's place in the repository, empty or ending in `/`: annotations name files from the
    /// repository's top.
    package init(root: String = "", write: @escaping Sink) {
        self.root = root
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        let annotations = Annotation.all(of: run)
        let errors = capped(annotations.filter { $0.isError }, "error")
        let warnings = capped(annotations.filter { !$0.isError }, "warning")
        let lines = (errors + warnings).map { $0 + "\n" }.joined()
        if !lines.isEmpty { write(Array(lines.utf8)) }
    }

    private func capped(_ annotations: [Annotation], _ command: String) -> [String] {
        guard annotations.count > Self.limit else { return annotations.map { line(for: $0, command) } }
        let shown = annotations.prefix(Self.limit - 1).map { line(for: $0, command) }
        let rest = annotations.count - shown.count
        return shown + ["::\(command)::\(rest) more \(command)s; the job summary and the log have all of them"]
    }

    private func line(for annotation: Annotation, _ command: String) -> String {
        var properties: [(String, String)] = []
        if let location = annotation.location, !location.path.hasPrefix("/") {
            properties.append(("file", root + location.path))
            properties.append(("line", "\(location.line)"))
            if let column = location.column { properties.append(("col", "\(column)")) }
        }
        properties.append(("title", annotation.title))
        let list = properties.map { "\($0.0)=\(Escaping.githubProperty($0.1))" }.joined(separator: ",")
        return "::\(command) \(list)::\(Escaping.githubData(annotation.text))"
    }
}
