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

/// The executables in `Lanes/actions`, as they describe themselves.
enum CustomActions {
    static let folder = "Lanes/actions"

    /// How long an executable may take to describe itself.
    private static let limit = Duration.seconds(10)

    /// Asks each executable to `describe` itself; what is wrong with an answer is told, and no more of the action known
    /// than its name.
    ///
    /// - Parameter looksAgain: Asks also those whose answer is remembered.
    static func load(
        _ root: String, looksAgain: Bool, in world: World, secrets: () -> Set<String>
    ) -> (schemas: [ActionSchema], undescribed: Set<String>, diagnostics: Diagnostics) {
        var schemas: [ActionSchema] = []
        var undescribed: Set<String> = []
        var diagnostics = Diagnostics()
        for name in (try? listDirectory("\(root)/\(folder)")) ?? [] {
            let path = "\(root)/\(folder)/\(name)"
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

    /// What an executable prints when it is to describe itself.
    private static func ask(
        _ path: String, shown: String, _ root: String, in world: World
    ) throws(Diagnostic) -> [UInt8] {
        let command = Command(path, ["describe"], environment: world.environment, directory: root)
        let run: CapturedRun
        do throws(SpawnError) {
            run = try world.processes.capture(command, limits: RunLimits(timeout: limit))
        } catch {
            throw Diagnostic(.error, "'\(shown)' does not describe itself: \(error.description)")
        }
        guard run.report.stoppedBy != .timeout else {
            throw Diagnostic(
                .error, "'\(shown) describe' did not end within \(limit.components.seconds) s",
                hint: "started with the word 'describe', it shall print its settings")
        }
        guard run.report.succeeded else {
            throw Diagnostic(.error, "'\(shown) describe' ended with status \(run.report.status)")
        }
        return run.standardOutput
    }
}

/// What an executable said of itself, kept below `.lane` with the digest of its content: to start each of them takes
/// longer than all the rest of a short run.
private struct ActionMemory {
    private let folder: String
    private let file: String

    init(root: String, action: String) {
        folder = "\(root)/.lane"
        file = "\(folder)/actions/\(action)"
    }

    /// `nil` when the executable is another one by now.
    func answer(of path: String) -> [UInt8]? {
        guard let kept = try? readFile(file), let digest = try? SHA256.digest(ofFile: path) else { return nil }
        let line = Array("\(digest)\n".utf8)
        return kept.starts(with: line) ? Array(kept.dropFirst(line.count)) : nil
    }

    /// Where no run has left anything yet, a look around leaves nothing either.
    func keep(_ answer: [UInt8], of path: String) {
        guard isDirectory(folder), let digest = try? SHA256.digest(ofFile: path) else { return }
        try? makeDirectories(parentDirectory(file))
        try? writeFile(Array("\(digest)\n".utf8) + answer, to: file)
    }
}
