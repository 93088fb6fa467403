/// The input and output files of a step, from which a later run determines that the step is up to date.
package struct StepFiles: Sendable {
    /// The globs of the files that the step reads, relative to the root.
    package internal(set) var inputs: [Template]
    /// The globs of the files that the step writes, relative to the root.
    package internal(set) var outputs: [Template]

    package init(inputs: [Template] = [], outputs: [Template] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }

    /// A Boolean value that indicates whether the step declares no files, and so always runs.
    package var isEmpty: Bool { inputs.isEmpty && outputs.isEmpty }
}
