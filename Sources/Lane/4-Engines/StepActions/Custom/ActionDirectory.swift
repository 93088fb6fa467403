import Archives
package import LaneModel
package import OperatingSystem
package import Text

/// A directory whose executables are actions: `Lanes/actions` of a package or of another repository.
package struct ActionDirectory: Sendable {
    /// The path of the package's directory, relative to its root.
    static let ownPath = "Lanes/actions"

    /// The time limit of `describe`.
    private static let timeout = Duration.seconds(10)

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
    ///   - prefix: The text before the executable's name in the name of an action.
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

    /// Returns the descriptions of all executables. The result contains the errors of invalid descriptions and the
    /// names of their actions.
    ///
    /// - Parameters:
    ///   - builtIn: The names of the built-in actions, which no executable can have.
    ///   - ignoresCache: A Boolean value that indicates whether cached descriptions are ignored.
    ///   - directory: The directory that paths in messages are relative to.
    ///   - processes: Returns the runner of executables, or `nil` to run none, so that actions without a cached
    ///     description have none. Called only if a description is not cached.
    package func load(
        besides builtIn: Set<String>, ignoresCache: Bool, seenFrom directory: String,
        environment: [String: String], processes: () -> (any ProcessRunner)?
    ) -> Descriptions {
        var found = Descriptions()
        for file in names(&found.diagnostics) {
            let executable = "\(path)/\(file)"
            guard fileKind(executable) != .directory else { continue }
            let name = prefix + file
            guard isExecutable(executable) else {
                // Other files may be data of an action.
                if (try? readStart(of: executable, 2)) == Array("#!".utf8) {
                    found.undescribed.insert(name)
                    found.diagnostics.add(notExecutable(file, shown: relativePath(executable, to: directory)))
                }
                continue
            }
            let cache = DescriptionCache(root: root, action: name)
            let shown = relativePath(executable, to: directory)
            func parse(_ description: [UInt8]) -> (schema: ActionSchema?, diagnostics: Diagnostics) {
                ActionDescription.parse(
                    SourceFile(path: "\(shown) describe", bytes: description), name: file, prefix: prefix,
                    builtIn: builtIn)
            }
            if !ignoresCache, let schema = cache.description(of: executable).flatMap({ parse($0).schema }) {
                found.schemas.append(schema)
                continue
            }
            guard let processes = processes() else {
                found.undescribed.insert(name)
                continue
            }
            do throws(Diagnostic) {
                let description = try describe(executable, shown: shown, environment, processes)
                let (schema, problems) = parse(description)
                found.diagnostics.add(problems)
                guard let schema else {
                    found.undescribed.insert(name)
                    continue
                }
                found.schemas.append(schema)
                cache.store(description, of: executable)
            } catch {
                found.undescribed.insert(name)
                found.diagnostics.add(error)
            }
        }
        return found
    }

    /// Returns the names in the directory, or an empty array if there is no directory.
    private func names(_ diagnostics: inout Diagnostics) -> [String] {
        do throws(FileError) { return try listDirectory(path) } catch {
            if !error.isMissing { diagnostics.error(error.description, hint: error.hint) }
            return []
        }
    }

    private func notExecutable(_ file: String, shown: String) -> Diagnostic {
        guard !prefix.isEmpty else {
            return Diagnostic(.error, "'\(shown)' is not executable", hint: "chmod +x \(ShellWords.quoted(shown))")
        }
        // The file is in a cache. Its mode comes from the commit.
        let path = ShellWords.quoted("\(Self.ownPath)/\(file)")
        return Diagnostic(
            .error, "the action '\(prefix)\(file)' is not executable",
            hint:
                "in the repository of '\(prefix.dropLast())', release the change of: git update-index --chmod=+x \(path)"
        )
    }

    /// Runs an executable with the argument `describe` and returns its output.
    private func describe(
        _ path: String, shown: String, _ environment: [String: String], _ processes: any ProcessRunner
    ) throws(Diagnostic) -> [UInt8] {
        let command = Command(path, ["describe"], environment: environment, directory: root)
        let run: CapturedRun
        do throws(SpawnError) {
            run = try processes.capture(command, limits: RunLimits(timeout: Self.timeout))
        } catch {
            throw Diagnostic(.error, "'\(shown)' cannot describe itself: \(error.description)")
        }
        guard run.report.stoppedBy != .timeout else {
            throw Diagnostic(
                .error, "'\(shown) describe' timed out after \(Self.timeout.components.seconds) s",
                hint: "with the argument 'describe', the executable must print its settings")
        }
        guard run.report.succeeded else {
            throw Diagnostic(.error, "'\(shown) describe' failed with exit status \(run.report.status)")
        }
        return run.standardOutput
    }
}

/// A cache of descriptions below `.lane`, keyed by the hash of the executable.
///
/// Without the cache, running the executables would take longer than the rest of a short run.
private struct DescriptionCache {
    private let directory: String
    private let file: String

    init(root: String, action: String) {
        directory = "\(root)/.lane"
        file = "\(directory)/actions/\(action)"
    }

    /// Returns the cached description, or `nil` if the executable has changed.
    func description(of path: String) -> [UInt8]? {
        guard let cached = try? readFile(file), let digest = try? SHA256.digest(ofFile: path) else { return nil }
        let line = Array("\(digest)\n".utf8)
        return cached.starts(with: line) ? Array(cached.dropFirst(line.count)) : nil
    }

    /// Writes a description to the cache. Writes nothing in a package without earlier runs.
    func store(_ description: [UInt8], of path: String) {
        guard isDirectory(directory), let digest = try? SHA256.digest(ofFile: path) else { return }
        try? makeDirectories(parentDirectory(file))
        try? writeFile(Array("\(digest)\n".utf8) + description, to: file)
    }
}
