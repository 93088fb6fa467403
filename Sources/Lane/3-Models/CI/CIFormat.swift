import LaneModel

/// A format of CI files for a service that `services` in the configuration names. To add a format, add it to `all`.
struct CIFormat: Sendable {
    /// The name in `services`.
    let name: String
    /// The path of a file that all packages of a repository share, if there is one.
    var sharedPath: String?
    /// A closure that returns the errors of a plan that the service does not support.
    var problems: @Sendable (CIPlan) -> [CIPlanProblem] = { _ in [] }
    /// A closure that returns the files of a plan. It gets the text of the shared file, and a closure that returns a
    /// Boolean value that indicates whether a directory has a package.
    let files: @Sendable (CIPlan, _ shared: String?, _ exists: (_ directory: String) -> Bool) -> [GeneratedFile]

    /// All formats, in the order of the choices in help.
    static let all = [github, circleci, azure, kubernetes]
}

/// An error of a plan, with the setting that causes it.
struct CIPlanProblem {
    /// The job, or `nil` for a setting of the file.
    let job: CIJob?
    let setting: String
    /// The message, after the name of the job.
    let text: String
    let hint: String

    init(_ setting: String, of job: CIJob? = nil, _ text: String, hint: String) {
        (self.job, self.setting, self.text, self.hint) = (job, setting, text, hint)
    }
}
