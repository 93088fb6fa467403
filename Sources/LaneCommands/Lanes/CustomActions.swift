import Archives
import Diagnostics
import Files
import LaneModel
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The executables in `Lanes/actions` with their descriptions.
enum CustomActions {
    static let directory = "Lanes/actions"

    /// The time limit for an executable to describe itself.
    private static let limit = Duration.seconds(10)

    /// Returns the descriptions of all executables. If a description is invalid, its errors are reported and only the
    /// name of the action is known.
    ///
    /// - Parameter looksAgain: A Boolean value that indicates whether cached descriptions are ignored.
    static func load(
        _ root: String, looksAgain: Bool, in world: World, secrets: () -> Set<String>
    ) -> (schemas: [ActionSchema], undescribed: Set<String>, diagnostics: Diagnostics) {
        var schemas: [ActionSchema] = []
        var undescribed: Set<String> = []
        var diagnostics = Diagnostics()
        for name in (try? listDirectory("\(root)/\(directory)")) ?? [] {
            let path = "\(root)/\(directory)/\(name)"
            guard fileKind(path) != .directory, access(path, X_OK) == 0 else { continue }
            let memory = ActionMemory(root: root, action: name)
            let shown = relativePath(path, to: world.directory)
            func parse(_ answer: [UInt8]) -> (schema: ActionSchema?, diagnostics: Diagnostics) {
                ActionDescription.parse(SourceFile(path: "\(shown) describe", bytes: answer), name: name)
            }
            if !looksAgain, let schema = memory.answer(of: path).flatMap({ parse($0).schema }) {
                schemas.append(schema)
                continue
            }
            do throws(Diagnostic) {
                let answer = try ask(path, shown: shown, root, in: world.withholding(secrets()))
                let (schema, problems) = parse(answer)
                diagnostics.add(problems)
                guard let schema else {
                    undescribed.insert(name)
                    continue
                }
                schemas.append(schema)
                memory.keep(answer, of: path)
            } catch {
                undescribed.insert(name)
                diagnostics.add(error)
            }
        }
        return (schemas, undescribed, diagnostics)
    }

    /// Runs `describe` of an executable. Returns its output.
    private static func ask(
        _ path: String, shown: String, _ root: String, in world: World
    ) throws(Diagnostic) -> [UInt8] {
        let command = Command(path, ["describe"], environment: world.environment, directory: root)
        let run: CapturedRun
        do throws(SpawnError) {
            run = try world.processes.capture(command, limits: RunLimits(timeout: limit))
        } catch {
            throw Diagnostic(.error, "'\(shown)' cannot describe itself: \(error.description)")
        }
        guard run.report.stoppedBy != .timeout else {
            throw Diagnostic(
                .error, "'\(shown) describe' timed out after \(limit.components.seconds) s",
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
