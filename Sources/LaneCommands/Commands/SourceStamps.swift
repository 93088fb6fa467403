import Archives
import Diagnostics
import Files
import Processes
import Releasing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Gives every file that git knows, also those of submodules, a time that its content alone decides.
///
/// SwiftPM goes by times and sizes. A fresh checkout has new times, so a restored `.build` is of no use for it; and one
/// fixed time for all would hide a change that keeps the size. A time made from a digest does neither. Whole seconds, as
/// some file systems of containers keep no more.
struct SourceStamps {
    /// The package's folder, and those of what it is built with.
    let roots: [String]

    func write(in world: World) throws(CommandFailure) -> ExitStatus {
        var files: [String] = []
        for root in roots { files += try self.files(of: root, in: world) }
        do throws(FileError) {
            for path in files { try stamp(path) }
        } catch {
            throw CommandFailure(.cannotWrite, error.description)
        }
        world.output.writeLine("\(count(files.count, "file")) dated by content")
        return .done
    }

    /// Without links and what is deleted.
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
                .failed, "git does not list the files: \(run.errorText)")
        }
        return run.standardOutput.split(separator: 0).map { "\(root)/\(String(decoding: $0, as: UTF8.self))" }
            .filter { fileKind($0) == .file }
    }

    private func stamp(_ path: String) throws(FileError) {
        let digest = SHA256.digest(of: try readFile(path)).bytes
        // From 2001 on, for some sixteen years: never in the future.
        let number = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let time = timespec(tv_sec: 1_000_000_000 + number % 500_000_000, tv_nsec: 0)
        var times = [time, time]
        guard utimensat(AT_FDCWD, path, &times, 0) == 0 else { throw FileError("date", path) }
    }
}
