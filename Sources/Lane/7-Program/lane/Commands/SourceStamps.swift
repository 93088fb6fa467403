import Archives
import Git
import OperatingSystem
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Modification times that are computed from contents, for all files in git, including submodules.
///
/// SwiftPM compares times and sizes. The files of a new checkout have new times, so a restored `.build` would be out of
/// date. With one fixed time for all files, SwiftPM would miss a change that keeps the size. The times are whole
/// seconds, because some file systems of containers store no fractions.
struct SourceStamps {
    /// The directories of the package and of its dependencies in the repository.
    let roots: [String]

    func write(in world: World) throws(CommandFailure) -> ExitStatus {
        var files: [String] = []
        for root in roots { files += try self.files(of: root, in: world) }
        do throws(FileError) {
            for path in files { try stamp(path) }
        } catch {
            throw CommandFailure(.cannotWrite, error.description)
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
        return run.standardOutput.split(separator: 0).map { "\(root)/\(String(decoding: $0, as: UTF8.self))" }
            .filter { fileKind($0) == .file }
    }

    private func stamp(_ path: String) throws(FileError) {
        let digest = SHA256.digest(of: try readFile(path)).bytes
        // The times are in a range of about sixteen years from 2001, so none is in the future.
        let number = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let time = timespec(tv_sec: 1_000_000_000 + number % 500_000_000, tv_nsec: 0)
        var times = [time, time]
        guard utimensat(AT_FDCWD, path, &times, 0) == 0 else { throw FileError("date", path) }
    }
}
