package import Diagnostics
package import LaneModel
package import Processes

import Archives
import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A directory whose executables are actions: `Lanes/actions` of a package, or that of another repository.
package struct ActionDirectory: Sendable {
    /// The path of the package's own directory relative to its root.
    static let ownPath = "Lanes/actions"

    /// The time limit for an executable to describe itself.
    private static let limit = Duration.seconds(10)

    private let root: String
    private let path: String
    private let prefix: String

    /// Creates the directory `Lanes/actions` of a package.
    package init(of root: String) {
        self.init("\(root)/\(Self.ownPath)", prefix: "", root: root)
    }

    /// Creates a directory of another repository.
    ///
    /// - Parameters:
    ///   - prefix: The text before the names of the executables in the names of the actions.
    ///   - root: The root of the package that uses the actions.
    package init(_ path: String, prefix: String, root: String) {
        self.root = root
        self.path = path
        self.prefix = prefix
    }

    /// The descriptions of executables.
    package struct Descriptions: Sendable {
        package fileprivate(set) var schemas: [ActionSchema] = []
        /// The names of the actions whose descriptions have errors.
        package fileprivate(set) var undescribed: Set<String> = []
        package fileprivate(set) var diagnostics = Diagnostics()
    }

    /// Returns the descriptions of all executables. If a description is invalid, its errors are reported and only the
    /// name of the action is known.
    ///
    /// - Parameters:
    ///   - looksAgain: A Boolean value that indicates whether cached descriptions are ignored.
    ///   - directory: The directory that paths in messages are relative to.
    ///   - processes: Returns the runner of executables whose descriptions are not cached.
    package func load(
        looksAgain: Bool, seenFrom directory: String, environment: [String: String],
        processes: () -> any ProcessRunner
    ) -> Descriptions {
        var found = Descriptions()
        for file in (try? listDirectory(path)) ?? [] {
            let executable = "\(path)/\(file)"
            guard fileKind(executable) != .directory, access(executable, X_OK) == 0 else { continue }
            let name = prefix + file
            let memory = ActionMemory(root: root, action: name)
            let shown = relativePath(executable, to: directory)
            func parse(_ answer: [UInt8]) -> (schema: ActionSchema?, diagnostics: Diagnostics) {
                ActionDescription.parse(
                    SourceFile(path: "\(shown) describe", bytes: answer), name: file, prefix: prefix)
            }
            if !looksAgain, let schema = memory.answer(of: executable).flatMap({ parse($0).schema }) {
                found.schemas.append(schema)
                continue
            }
            do throws(Diagnostic) {
                let answer = try ask(executable, shown: shown, environment, processes())
                let (schema, problems) = parse(answer)
                found.diagnostics.add(problems)
                guard let schema else {
                    found.undescribed.insert(name)
                    continue
                }
                found.schemas.append(schema)
                memory.keep(answer, of: executable)
            } catch {
                found.undescribed.insert(name)
                found.diagnostics.add(error)
            }
        }
        return found
    }

    /// Runs `describe` of an executable. Returns its output.
    private func ask(
        _ path: String, shown: String, _ environment: [String: String], _ processes: any ProcessRunner
    ) throws(Diagnostic) -> [UInt8] {
        let command = Command(path, ["describe"], environment: environment, directory: root)
        let run: CapturedRun
        do throws(SpawnError) {
            run = try processes.capture(command, limits: RunLimits(timeout: Self.limit))
        } catch {
            throw Diagnostic(.error, "'\(shown)' cannot describe itself: \(error.description)")
        }
        guard run.report.stoppedBy != .timeout else {
            throw Diagnostic(
                .error, "'\(shown) describe' timed out after \(Self.limit.components.seconds) s",
                hint: "with the argument 'describe', it must print its settings")
        }
        guard run.report.succeeded else {
            throw Diagnostic(.error, "'\(shown) describe' failed with exit status \(run.report.status)")
        }
        return run.standardOutput
    }
}

/// A cache of an executable's description below `.lane`, with the hash of the executable.
///
/// Running the executables would take longer than the rest of a short run.
private struct ActionMemory {
    private let directory: String
    private let file: String

    init(root: String, action: String) {
        directory = "\(root)/.lane"
        file = "\(directory)/actions/\(action)"
    }

    /// Returns the cached description, or `nil` if the executable has changed.
    func answer(of path: String) -> [UInt8]? {
        guard let kept = try? readFile(file), let digest = try? SHA256.digest(ofFile: path) else { return nil }
        let line = Array("\(digest)\n".utf8)
        return kept.starts(with: line) ? Array(kept.dropFirst(line.count)) : nil
    }

    /// Writes the cache. Nothing is written in a package without earlier runs.
    func keep(_ answer: [UInt8], of path: String) {
        guard isDirectory(directory), let digest = try? SHA256.digest(ofFile: path) else { return }
        try? makeDirectories(parentDirectory(file))
        try? writeFile(Array("\(digest)\n".utf8) + answer, to: file)
    }
}
