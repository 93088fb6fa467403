import CI
import OperatingSystem
import Text

/// The generated CI files, with the existing files of the repository.
struct CIFiles {
    /// The root of the repository, where CI services read files.
    let root: String
    let location: PackageLocation
    let wanted: [GeneratedFile]

    init(_ plan: CIPlan, in surroundings: RepositorySurroundings) throws(CommandFailure) {
        root = surroundings.top
        location = surroundings.location
        wanted = try GeneratedFile.all(
            of: plan, exists: { Project.isRoot("\(surroundings.top)/\($0)") },
            present: { path throws(CommandFailure) in try Self.present(path, below: surroundings.top) })
    }

    /// The generated files that are no longer necessary, relative to the root.
    private var outdated: [String] {
        GeneratedFile.places(of: location).flatMap { directory in
            ((try? listDirectory("\(root)/\(directory)")) ?? []).map { "\(directory)/\($0)" }
        }.filter { path in
            guard path.hasSuffix(".yml"), !wanted.contains(where: { $0.path == path }) else { return false }
            guard let text = try? present(path) else { return false }
            return isOurs(text, at: path) || isOfRemovedPackage(text)
        }
    }

    /// Returns a Boolean value that indicates whether a file was generated for a package that no longer exists. No other
    /// run of `lane ci` would remove it.
    private func isOfRemovedPackage(_ text: String) -> Bool {
        GeneratedFile.package(of: text).map { !Project.isRoot("\(root)/\($0)") } ?? false
    }

    /// The files whose names differ from generated workflows only in case or in `.yaml`, but which are not generated.
    var namesakes: [(path: String, ours: String)] {
        func stem(_ path: String) -> String {
            let name = lastPathComponent(path).lowercased()
            return String([".yml", ".yaml"].first(where: name.hasSuffix).map { name.dropLast($0.count) } ?? name[...])
        }
        let directory = GeneratedFile.workflows
        let workflows = wanted.map(\.path).filter { parentDirectory($0) == directory }
        let present = ((try? listDirectory("\(root)/\(directory)")) ?? []).sorted().map { "\(directory)/\($0)" }
        return present.compactMap { path in
            guard let ours = workflows.first(where: { stem($0) == stem(path) }), ours != path,
                let text = try? self.present(path), !isOurs(text, at: path)
            else { return nil }
            return (shown(path), shown(ours))
        }
    }

    private func isOurs(_ text: String, at path: String) -> Bool {
        GeneratedFile.isGenerated(text, at: path, for: location)
    }

    /// Returns the paths of generated files at which there are other files.
    private func foreignFiles() throws(CommandFailure) -> [String] {
        var foreign: [String] = []
        for file in wanted {
            if let text = try present(file.path), !isOurs(text, at: file.path) { foreign.append(shown(file.path)) }
        }
        return foreign
    }

    private func present(_ path: String) throws(CommandFailure) -> String? { try Self.present(path, below: root) }

    /// Returns the text of a file, or `nil` if it does not exist. Git may have converted its line ends
    /// (`core.autocrlf`).
    private static func present(_ path: String, below root: String) throws(CommandFailure) -> String? {
        guard fileExists("\(root)/\(path)") else { return nil }
        return try convertingFileErrors(
            to: CommandFailure.self, of: readText("\(root)/\(path)").replacing("\r\n", with: "\n"))
    }

    func check(in world: World) throws(CommandFailure) -> ExitStatus {
        let foreign = try foreignFiles()
        guard foreign.isEmpty else {
            throw CommandFailure(
                .refused,
                "\(list(foreign.map { "'\($0)'" }, joinedBy: "and")) was written by hand, so there is nothing to check",
                hint: "keep it and call 'lane test' in it, or replace it with 'lane ci generate --force'")
        }
        guard (wanted.map(\.path) + outdated).contains(where: { fileExists("\(root)/\($0)") }) else {
            throw CommandFailure(
                .failed, "there are no generated CI files", hint: "run 'lane ci generate' and commit the files")
        }
        var differences: [String] = []
        for (path, text) in wanted.map({ ($0.path, $0.text) }) + outdated.map({ ($0, "") }) {
            let difference = UnifiedDiff(from: try present(path) ?? "", to: text).text(shown(path))
            if !difference.isEmpty { differences.append(difference) }
        }
        guard !differences.isEmpty else {
            world.output.writeLine("\(count(wanted.count { !$0.text.isEmpty }, "generated file")): up to date")
            return .done
        }
        for difference in differences { world.output.write(difference) }
        throw CommandFailure(
            .failed, "\(count(differences.count, "CI file")) out of date",
            hint: "run 'lane ci generate' and commit the files")
    }

    func write(replacing isForced: Bool, in world: World) throws(CommandFailure) -> ExitStatus {
        let foreign = isForced ? [] : try foreignFiles()
        guard foreign.isEmpty else {
            throw CommandFailure(
                .refused,
                "\(list(foreign.map { "'\($0)'" }, joinedBy: "and")) would be replaced, but was not generated for this package",
                hint: "move the necessary parts to \(CIPlanReader.path), and run 'lane ci generate --force'")
        }
        for file in wanted where !file.text.isEmpty {
            let isNew = try present(file.path) != file.text
            if isNew {
                try convertingFileErrors(to: CommandFailure.self) { () throws(FileError) in
                    try makeDirectories(parentDirectory("\(root)/\(file.path)"))
                    try writeFile(file.text, to: "\(root)/\(file.path)")
                }
            }
            world.output.writeLine("\(isNew ? "written" : "kept   ")  \(shown(file.path))")
        }
        for path in wanted.filter(\.text.isEmpty).map(\.path) + outdated {
            try convertingFileErrors(to: CommandFailure.self, of: removeTree("\(root)/\(path)"))
            world.output.writeLine("removed  \(shown(path))")
        }
        return .done
    }

    /// Returns a path relative to the package.
    private func shown(_ path: String) -> String {
        let inside = relativePath(path, to: location.directory)
        guard inside == path else { return inside }
        return location.directory.pathComponents.map { _ in "../" }.joined() + path
    }
}
