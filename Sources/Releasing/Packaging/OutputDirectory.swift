import Files
import LaneRun

/// The directory of packages.
enum OutputDirectory {
    /// Creates the directory with a `.gitignore`. Otherwise, the files of one release would prevent the next one from a
    /// clean checkout.
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
