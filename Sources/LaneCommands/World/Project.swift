import Diagnostics
import Files
import LaneModel

/// The package or folder that lanes work on: where it begins, and the lane files in it.
struct Project: Sendable {
    /// The absolute path of the nearest folder, going up, that has `Lanes` or a `Package.swift`.
    let root: String
    /// `Lanes/*.yml` in the order of their names; empty for a package without any.
    let laneFiles: [SourceFile]
    /// What else has the name of a lane file, with the reasons why it could not be read.
    let unread: [Unread]

    /// A lane file that could not be read, as an empty one.
    struct Unread: Sendable {
        let file: SourceFile
        let problem: String
    }

    /// Whether the built-in lanes stand in for lane files.
    var hasLaneFiles: Bool { !laneFiles.isEmpty || !unread.isEmpty }

    /// Finds the project around `directory` and reads its lane files.
    static func find(from directory: String) throws(CommandFailure) -> Project {
        let root = try root(around: directory)
        do {
            let (files, unread) = try read(root, seenFrom: directory)
            return Project(root: root, laneFiles: files, unread: unread)
        } catch {
            throw CommandFailure(.fileNotFound, error.description)
        }
    }

    static func root(around directory: String) throws(CommandFailure) -> String {
        var folder = directory
        while !isDirectory("\(folder)/Lanes"), !fileExists("\(folder)/Package.swift") {
            guard folder != "/" else {
                throw CommandFailure(
                    .fileNotFound, "no 'Lanes' folder and no 'Package.swift' here or in any folder above",
                    hint: wayOn(from: directory))
            }
            folder = parentDirectory(folder)
        }
        return folder
    }

    /// What a person may have meant where there is no project: a package below, as in a repository of several.
    private static func wayOn(from directory: String) -> String {
        let names = (try? listDirectory(directory)) ?? []
        let below = names.filter { !$0.hasPrefix(".") && fileExists("\(directory)/\($0)/Package.swift") }.sorted()
        guard let first = below.first else {
            return "change to a package's directory, or create a package with 'swift package init'"
        }
        let verb = below.count == 1 ? "is a package" : "are packages"
        return "\(list(firstOf: below, joinedBy: "and")) \(verb): 'lane -C \(first)' works there"
    }

    private static func read(
        _ root: String, seenFrom directory: String
    ) throws(FileError) -> (files: [SourceFile], unread: [Unread]) {
        let folder = "\(root)/Lanes"
        guard isDirectory(folder) else { return ([], []) }
        let shownFolder = folder == directory ? "" : relativePath(folder, to: directory) + "/"
        let start = folder + "/"
        var files: [SourceFile] = []
        var unread: [Unread] = []
        let opened = try OpenDirectory(folder)
        for entry in try listEntries(folder) where isLaneFile(entry.name) {
            let name = entry.name
            let shown = shownFolder + name
            do {
                let bytes = try entry.isFile ? opened.readFile(name) : readRegularFile(start + name)
                files.append(SourceFile(path: shown, bytes: bytes))
            } catch {
                let problem =
                    obstacle(toReading: start + name)
                    ?? FileError(error.operation, shown, code: error.code).description
                unread.append(Unread(file: SourceFile(path: shown, bytes: []), problem: problem))
            }
        }
        return (files, unread)
    }

    private static func isLaneFile(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(".yml") || name.hasSuffix(".yaml"))
    }
}

extension Project {
    /// The text of a dotenv file of a lane; `nil` where there is none.
    func dotEnv(_ file: DotEnvFile) throws(Diagnostic) -> SourceFile? {
        let path = file.path.hasPrefix("/") ? file.path : "\(root)/\(file.path)"
        guard fileExists(path) else { return nil }
        do {
            return SourceFile(path: file.path, bytes: try readRegularFile(path))
        } catch {
            throw Diagnostic(.error, obstacle(toReading: path) ?? error.description, at: file.span)
        }
    }
}
