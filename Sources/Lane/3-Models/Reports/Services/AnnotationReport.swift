package import Events
package import Text

/// A report of failures as commands of a CI service, in the order of `Annotation.all`. It is written at the end of the
/// run.
package final class AnnotationReport: EventReceiver {
    private let commands: any LogCommands
    private let root: String
    private let write: Sink

    /// - Parameter root: The path of the package in the repository, either empty or with a trailing `/`. Paths in the
    ///   report are relative to the repository.
    package init(_ commands: any LogCommands, root: String = "", write: @escaping Sink) {
        (self.commands, self.root, self.write) = (commands, root, write)
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        let annotations = Annotation.all(of: run).map { annotation in
            // A file with an absolute path is outside the repository.
            let place = annotation.location.flatMap { $0.path.hasPrefix("/") ? nil : $0 }
            return LogAnnotation(
                isError: annotation.isError, place: place.map { (root + $0.path, $0.line, $0.column) },
                title: annotation.title, text: annotation.text)
        }
        let lines = commands.lines(for: annotations)
        if !lines.isEmpty { write(Array(lines.map { $0 + "\n" }.joined().utf8)) }
    }
}
