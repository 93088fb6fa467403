/// The files that a step declares, by which a later run sees that there is nothing for it to do.
package struct StepFiles: Sendable {
    /// Globs relative to the root: what the step reads.
    package internal(set) var inputs: [Template]
    /// Globs relative to the root: what it makes.
    package internal(set) var outputs: [Template]

    package init(inputs: [Template] = [], outputs: [Template] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }

    /// A step that declares nothing always runs.
    package var isEmpty: Bool { inputs.isEmpty && outputs.isEmpty }
}
