import CLibrary
import LaneModel
import OperatingSystem
import Text

/// The directory that lanes work in, with its lane files.
package struct Project: Sendable {
    /// The absolute path of the closest directory, including ancestors, that contains `Lanes` with files for `lane`, or
    /// `Package.swift`.
    let root: String
    /// The files `Lanes/*.yml` in the order of their names.
    let laneFiles: [SourceFile]
    /// The lane files that could not be read, with the reasons.
    let unread: [Unread]

    /// A lane file that could not be read, as an empty source.
    struct Unread: Sendable {
        let file: SourceFile
        let problem: String
        let hint: String?
    }

    /// A Boolean value that indicates whether the project has lane files.
    var hasLaneFiles: Bool { !laneFiles.isEmpty || !unread.isEmpty }

    /// A Boolean value that indicates whether the project has the built-in lanes that its files do not replace. A
    /// directory that has lane files and no package, such as the root of several packages, has only its own lanes.
    var hasBuiltInLanes: Bool { !hasLaneFiles || fileExists("\(root)/Package.swift") }

    /// Finds the project of a directory and reads its lane files.
    static func find(from directory: String) throws(CommandFailure) -> Project {
        let root = try root(around: directory)
        do {
            let (files, unread) = try read(root, seenFrom: directory)
            return Project(root: root, laneFiles: files, unread: unread)
        } catch {
            throw CommandFailure(.fileNotFound, error.description, hint: error.hint)
        }
    }

    package static func root(around directory: String) throws(CommandFailure) -> String {
        var root = directory
        while !isRoot(root) {
            guard root != "/" else {
                throw CommandFailure(
                    .fileNotFound, "no 'Lanes' directory and no 'Package.swift' in this directory or above",
                    hint: hint(from: directory))
            }
            root = parentDirectory(root)
        }
        return root
    }

    /// Returns a Boolean value that indicates whether a directory is the root of a project. Only ignored files, such as
    /// `.build`, may remain of a removed one.
    static func isRoot(_ directory: String) -> Bool {
        fileExists("\(directory)/Package.swift") || isLaneDirectory("\(directory)/Lanes")
    }

    /// Returns a Boolean value that indicates whether a directory has lane files or other files for `lane`. In sources,
    /// a directory can have the same name.
    private static func isLaneDirectory(_ path: String) -> Bool {
        // The reader of the files reports an unreadable directory.
        guard let names = try? listDirectory(path) else { return isDirectory(path) }
        return names.isEmpty || names.contains { LaneFiles.isLaneFile($0) || ["actions", "ci", "remote"].contains($0) }
    }

    /// Returns a hint outside a project. The hint names packages in subdirectories.
    private static func hint(from directory: String) -> String {
        let names = (try? listDirectory(directory)) ?? []
        let below = names.filter { !$0.hasPrefix(".") && fileExists("\(directory)/\($0)/Package.swift") }.sorted()
        if let hint = misplacedFile(nil, in: directory)?.hint { return hint }
        guard let first = below.first else {
            if let file = names.first(where: { ["lane", "lanes"].contains(stem(ofLaneFile: $0)?.lowercased()) }) {
                return "each lane has a file of its own: split '\(file)' into files such as 'Lanes/test.yml'"
            }
            return "change to a package's directory, or create a package with 'swift package init'"
        }
        let verb = below.count == 1 ? "is a package" : "are packages"
        let command = inQuotes("lane -C \(ShellWords.quoted(first))")
        return "\(list(firstOf: below, joinedBy: "and")) \(verb); use \(command)"
    }

    /// Returns a warning of a file that is probably a lane file but is not read: in the root, in a directory such as
    /// `lanes` or `Lanes/sub`, or with a name such as `test.YML` or `test.yml.txt`. Returns `nil` if there is none, or
    /// if its lane has another file.
    ///
    /// - Parameter name: The name of the lane, or `nil` for any lane. Other files in the root belong to other tools.
    static func misplacedFile(_ name: String?, in root: String) -> Diagnostic? {
        if fileExists("\(root)/Lanes"), !isDirectory("\(root)/Lanes") {
            return Diagnostic(
                .warning, "'Lanes' is a file, so there are no lane files", at: nil,
                hint: "rename the file 'Lanes'; a lane is a file such as 'Lanes/\(name ?? "test").yml'")
        }
        func names(in directory: String) -> [String] { ((try? listDirectory("\(root)/\(directory)")) ?? []).sorted() }
        let top = names(in: "")
        // A file system that ignores case reads them as 'Lanes'.
        let readsSimilar = !top.contains("Lanes") && isDirectory("\(root)/Lanes")
        let similar = top.filter { directory in
            if readsSimilar { return false }
            guard name == nil else { return nearest(to: directory, among: ["Lanes"]) != nil }
            return ["lane", "lanes"].contains(directory.lowercased())
        }
        let inLanes = (try? listEntries("\(root)/Lanes")) ?? []
        let lanes = Set(inLanes.lazy.map(\.name).filter(LaneFiles.isLaneFile).map(LaneFiles.name))
        let nested = inLanes.filter { !$0.isFile && !["actions", "ci", "remote"].contains($0.name) }
            .map { "Lanes/\($0.name)" }
        let directories = (name == nil ? [] : [""]) + similar.map { "\($0)/" } + nested.map { "\($0)/" }
        for directory in directories {
            for file in names(in: directory) where directory != "Lanes/" || !LaneFiles.isLaneFile(file) {
                let path = directory + file
                guard let stem = stem(ofLaneFile: file), name ?? stem == stem, !lanes.contains(stem),
                    !isDirectory("\(root)/\(path)")
                else { continue }
                if name == nil, !isLane("\(root)/\(path)") { continue }
                return Diagnostic(
                    .warning, "'\(path)' is not read as a lane", at: nil,
                    hint: "move '\(path)' to 'Lanes/\(stem).yml'")
            }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether a YAML file has the steps of a lane.
    private static func isLane(_ path: String) -> Bool {
        ((try? readText(path)) ?? "").lines.contains { $0.hasPrefix("steps:") }
    }

    /// Returns the name of a lane from the name of a file such as `test.yml`, `test.YML` or `test.yml.txt`, or `nil` for
    /// other files. Names of hidden files, such as the lock `.#test.yml` of Emacs and `._test.yml` of macOS, are no names
    /// of lanes.
    private static func stem(ofLaneFile file: String) -> String? {
        guard !file.hasPrefix(".") else { return nil }
        let parts = file.split(separator: ".", maxSplits: 1).map(String.init)
        let endings = ["yml", "yaml", "yml.txt", "yaml.txt"]
        return parts.count == 2 && !parts[0].isEmpty && endings.contains(parts[1].lowercased()) ? parts[0] : nil
    }

    private static func read(
        _ root: String, seenFrom directory: String
    ) throws(FileError) -> (files: [SourceFile], unread: [Unread]) {
        let lanes = "\(root)/Lanes"
        guard isDirectory(lanes) else { return ([], []) }
        let prefix = lanes == directory ? "" : relativePath(lanes, to: directory) + "/"
        let start = lanes + "/"
        var files: [SourceFile] = []
        var unread: [Unread] = []
        let opened = try OpenDirectory(lanes)
        for entry in try listEntries(lanes) where LaneFiles.isLaneFile(entry.name) {
            let name = entry.name
            let shown = prefix + name
            do {
                let bytes = try entry.isFile ? opened.readFile(name) : readFile(start + name)
                files.append(SourceFile(path: shown, bytes: bytes))
            } catch {
                let problem =
                    obstacle(toReading: start + name)
                    ?? FileError(error.operation, shown, code: error.code).description
                let hint = FileError(error.operation, start + name, code: error.code).hint
                unread.append(Unread(file: SourceFile(path: shown, bytes: []), problem: problem, hint: hint))
            }
        }
        return (files, unread)
    }
}

extension Project {
    /// The time in which a password manager can ask its user.
    private static let pipeLimit = Duration.seconds(60)

    /// Returns the contents of a dotenv file, or `nil` if the file does not exist.
    ///
    /// - Parameter waitsForPipe: A Boolean value that indicates whether a pipe is read, through which password managers
    ///   provide secrets that are not on disk. If not, a pipe counts as empty.
    func dotEnv(_ file: DotEnvFile, waitsForPipe: Bool) throws(Diagnostic) -> SourceFile? {
        let path = file.path.hasPrefix("/") ? file.path : "\(root)/\(file.path)"
        guard fileExists(path) else { return nil }
        do {
            guard isPipe(path) else { return SourceFile(path: file.path, bytes: try readFile(path)) }
            return SourceFile(path: file.path, bytes: waitsForPipe ? try readPipe(path, limit: Self.pipeLimit) : [])
        } catch {
            if error.code == ETIMEDOUT {
                throw Diagnostic(
                    .error, "nothing was written to the pipe within a minute", at: file.span,
                    hint: "start or unlock the program that provides the variables")
            }
            throw Diagnostic(
                .error, obstacle(toReading: path) ?? error.description, at: file.span, hint: error.hint)
        }
    }
}
