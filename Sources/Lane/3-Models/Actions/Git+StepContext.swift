package import Git

extension Git {
    /// Creates the command for `directory`, or for the directory of a step if it is `nil`.
    package init(_ context: StepContext, in directory: String? = nil) {
        self.init(
            in: directory ?? context.directory, environment: context.environment, processes: context.processes)
    }
}
