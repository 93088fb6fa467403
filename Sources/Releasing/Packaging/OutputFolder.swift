import Files
import LaneRun

/// The folder for what is made.
enum OutputFolder {
    /// A new one tells git by itself to pass it over: otherwise what one release has made would keep the next one from
    /// beginning in a clean checkout.
    static func make(_ output: String, in context: StepContext) throws(StepFailure) {
        let isNew = !fileExists("\(context.root)/\(output)")
        try onFiles { () throws(FileError) in
            try makeDirectories("\(context.directory)/\(output)")
            guard isNew else { return }
            try writeFile("*\n", to: "\(context.directory)/\(output)/.gitignore")
        }
        if isNew { context.transaction?.plan(.keep(relativePath: "\(output)/.gitignore")) }
    }
}
