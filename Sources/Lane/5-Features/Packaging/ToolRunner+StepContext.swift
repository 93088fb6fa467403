package import Actions
package import SwiftPackages

extension ToolRunner {
    /// Creates a runner for the programs of a step. It passes their output to the reports.
    package init(context: StepContext) {
        self.init(
            directory: context.directory, environment: context.environment, processes: context.processes,
            events: context)
    }
}
