import Archives
import Git
import OperatingSystem
import Text

/// Modification times that are computed from contents, for all files in git, including submodules.
struct SourceStamps {
    /// The directories of the package and of its dependencies in the repository.
    let roots: [String]

    func write(in world: World) throws(CommandFailure) -> ExitStatus {
        var files: [String] = []
        for root in roots { files += try self.files(of: root, in: world) }
        try convertingFileErrors(to: CommandFailure.self) { () throws(FileError) in
            for path in files { try ContentTime.set(of: path) }
        }
        world.output.writeLine("\(count(files.count, "file")) updated")
        return .done
    }

    /// Returns the files in git, without links and deleted files.
    private func files(of root: String, in world: World) throws(CommandFailure) -> [String] {
        let command = Command(
            "git", ["ls-files", "-z", "--recurse-submodules"], environment: gitEnvironment(world.environment),
            directory: root)
        let run: CapturedRun
        do {
            run = try world.processes.capture(command)
        } catch {
            throw CommandFailure(.toolMissing, error.description)
        }
        guard run.report.succeeded else {
            throw CommandFailure(
                .failed, "'git ls-files' failed: \(run.errorText)")
        }
        return run.standardOutput.split(separator: 0).map { "\(root)/\(String(pathBytes: $0))" }
            .filter { fileKind($0) == .file }
    }
}
