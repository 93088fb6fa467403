package import Expressions
package import LaneModel
package import OperatingSystem

extension Plan {
    /// Returns the patterns of the files that the plan declares: the inputs of its steps, and the dotenv files of its
    /// lanes. Omits inputs that depend on results of steps.
    package func declaredFiles(in context: EvaluationContext) -> [FilePattern] {
        let inputs = steps.flatMap { step in
            (try? StepWork.inputPatterns(of: step, in: self.context(of: step, from: context))) ?? []
        }
        return inputs + groups.flatMap(\.dotenv).map { FilePattern($0.path) }
    }
}
