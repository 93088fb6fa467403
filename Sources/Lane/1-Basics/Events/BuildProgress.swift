/// The progress of a build.
package struct BuildProgress: Sendable, Equatable {
    /// The number of finished units: files, modules or commands.
    package let finished: Int
    /// The number of known units, which may grow during the build.
    package let total: Int
    /// The current action, as the build tool describes it.
    package let text: String

    package init(finished: Int, total: Int, text: String) {
        self.finished = finished
        self.total = total
        self.text = text
    }
}
