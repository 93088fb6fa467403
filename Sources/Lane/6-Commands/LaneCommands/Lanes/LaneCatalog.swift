import LaneModel
import OperatingSystem
import RemoteLanes
import StepActions
import Text

/// The checked lanes of a project: its own lanes, and the built-in lanes that they do not replace.
struct LaneCatalog: Sendable {
    /// The name of the dynamic completion for lanes.
    static let topicName = "lanes"

    let project: Project
    let files: CheckedLaneFiles
    /// The lanes and actions of other repositories.
    let remote: RemoteLanes
    /// The actions in `Lanes/actions`, and those of other repositories.
    let customActions: [ActionSchema]
    private let customProblems: Diagnostics
    private let world: World

    /// The lanes that are not private.
    var lanes: [Lane] { files.lanes.filter { !$0.isPrivate } }

    /// Finds and checks the lanes around the working directory. Errors in lane files are thrown by `requireSound`, not
    /// here.
    ///
    /// - Parameters:
    ///   - requested: The words that can be names of built-in lanes, or `nil` for all built-in lanes.
    ///   - ignoresCache: A Boolean value that indicates whether caches are ignored.
    static func load(
        requested: Set<String>? = nil, ignoresCache: Bool = false, remote scope: RemoteLanes.Scope = .all,
        in world: World
    ) throws(CommandFailure) -> LaneCatalog {
        let project = try Project.find(from: world.directory)
        return load(project, requested: requested, ignoresCache: ignoresCache, remote: scope, in: world)
    }

    /// Checks the lanes of a project.
    static func load(
        _ project: Project, requested: Set<String>? = nil, ignoresCache: Bool = false, remote scope: RemoteLanes.Scope,
        in world: World
    ) -> LaneCatalog {
        let builtIn = project.hasBuiltInLanes ? BuiltInLanes.sources : []
        let reserved = Set(world.program.subcommands.map { $0.name })
        let custom = ActionDirectory(of: project.root).load(
            besides: world.program.actions.names, ignoresCache: ignoresCache, seenFrom: world.directory,
            environment: world.environment
        ) {
            // A completion runs no program of a package.
            if case .cached = scope { return nil }
            let files = project.hasLaneFiles ? project.laneFiles : builtIn
            return world.withholding(LaneFiles.secretNames(in: files)).processes
        }
        let remote = RemoteLanes.load(for: world.sourceUser(project), scope, ignoresCache: ignoresCache)
        return LaneCatalog(
            project: project,
            files: LaneFiles.check(
                project.laneFiles, with: world.program.actions.schemas, unread: project.unread.map(\.file),
                actions: custom.schemas, undescribed: custom.undescribed, reserved: reserved, imports: remote.imports,
                builtIn: builtIn, requested: requested),
            remote: remote, customActions: custom.schemas + remote.imports.flatMap(\.actions),
            customProblems: custom.diagnostics, world: world)
    }

    /// The errors of the lane files, including parameters that would hide an option.
    var diagnostics: Diagnostics {
        var diagnostics = customProblems
        diagnostics.add(remote.diagnostics)
        diagnostics.add(fileDiagnostics)
        return diagnostics
    }

    private var fileDiagnostics: Diagnostics {
        var diagnostics = files.diagnostics
        for unread in project.unread {
            diagnostics.error(unread.problem, at: Span(file: unread.file, range: 0..<0), hint: unread.hint)
        }
        for index in files.lanes.indices where !files.lanes[index].parameters.isEmpty {
            addClashes(of: files.lanes[index], to: &diagnostics)
        }
        return diagnostics
    }

    private func addClashes(of lane: Lane, to diagnostics: inout Diagnostics) {
        for parameter in lane.parameters {
            if LaneOptions.taken.contains(parameter.name) {
                diagnostics.error(
                    "parameter '\(parameter.name)' of lane '\(lane.name)' is an option of every lane",
                    at: parameter.span, hint: "rename it")
            } else if parameter.hasInverse, let other = lane.parameter("no-\(parameter.name)") {
                diagnostics.error(
                    "'--\(other.name)' is the option that turns '\(parameter.name)' off", at: other.span,
                    hint: "rename it", note: .init("'\(parameter.name)' is on by default", at: parameter.span))
            }
        }
    }

    /// Throws all errors.
    func requireSound() throws(CommandFailure) {
        let diagnostics = diagnostics
        guard diagnostics.hasErrors else { return }
        throw CommandFailure(diagnostics)
    }

    /// Throws the errors of one lane.
    func requireSound(_ lane: String) throws(CommandFailure) {
        var diagnostics = files.hasUndescribedAction(lane) ? customProblems : Diagnostics()
        diagnostics.add(remote.diagnostics)
        diagnostics.add(files.diagnostics(fileDiagnostics, concerning: lane))
        guard diagnostics.hasErrors else { return }
        throw CommandFailure(diagnostics)
    }

    /// Returns a Boolean value that indicates whether a word is the name or an alias of a lane that users can run.
    func isLane(_ word: String) -> Bool { files[files.name(of: word)].map { !$0.isPrivate } ?? false }

    /// Returns the lane with a name or an alias. Throws an error with the most similar name if there is no such lane.
    func lane(_ word: String) throws(CommandFailure) -> Lane {
        let name = files.name(of: word)
        if let lane = files[name], !lane.isPrivate { return lane }
        if files[name] != nil {
            throw CommandFailure(
                .usage, "lane '\(name)' is private and can only be run by other lanes",
                hint: "run a lane that uses it, or remove 'private: true'")
        }
        // The source of the lane may be missing.
        if name.utf8.contains(UInt8(ascii: "/")), remote.diagnostics.hasErrors {
            throw CommandFailure(remote.diagnostics)
        }
        throw CommandFailure(.fileNotFound, "there is no lane '\(name)'", hint: hint(for: name))
    }

    private func hint(for name: String) -> String {
        if let command = commandAbove(name) { return "it is a lane of a directory above: '\(command)'" }
        // Only a directory with lane files and without a package has no built-in lanes.
        if BuiltInLanes.names.contains(name) {
            let command = InitCommand.packagesBelow(project.root).first.map {
                InitCommand.command(name, inPackage: "\(project.root)/\($0)", in: world)
            }
            return "'\(name)' is built in only beside a Package.swift; "
                + (command.map { "use \(inQuotes($0))" } ?? "'lane init' writes it to Lanes/")
        }
        if ["run", "exec", "do", "lane"].contains(name) {
            return "every lane is a command: 'lane test', not 'lane \(name) test'"
        }
        if name == "watch" { return "it is an option: 'lane NAME --watch'" }
        if ["show", "info", "describe"].contains(name) { return "'lane NAME --help' describes a lane" }
        if ["new", "add", "create", "edit"].contains(name) { return "a lane is a file: write 'Lanes/NAME.yml'" }
        if let mark = name.firstIndex(of: "="), mark > name.startIndex {
            let value = ShellWords.quoted(String(name[name.index(after: mark)...]))
            let example = inQuotes("lane NAME --\(name[..<mark].lowercased()) \(value)")
            return "values follow the name of the lane: \(example)"
        }
        if let action = world.program.actions.schemas.first(where: { $0.name == name }) {
            return "'\(action.name)' is an action for the steps of a lane; see 'lane help \(action.name)'"
        }
        let path = LaneFiles.name(of: name)
        if path != name, lanes.contains(where: { $0.name == path }) { return "did you mean 'lane \(path)'?" }
        let names = lanes.flatMap { [$0.name] + $0.aliases.map(\.name) } + world.program.subcommands.map { $0.name }
        return suggestion(for: name, among: names + (project.hasBuiltInLanes ? BuiltInLanes.names : []))
            ?? Project.misplacedFile(name, in: project.root)?.hint
            ?? "use 'lane list' to list the lanes"
    }

    /// Returns the command that runs a lane of the closest directory above that has it.
    private func commandAbove(_ name: String) -> String? {
        var root = project.root
        while let above = try? Project.find(from: parentDirectory(root)), above.root != root {
            root = above.root
            guard Self.load(above, requested: [name], remote: .cached, in: world).isLane(name) else { continue }
            let steps = relativePath(world.directory, to: root).split(separator: "/").map { _ in ".." }
            // The user types it in the directory that '-C' is relative to.
            let path = (world.directoryOption.dropFirst() + steps).joined(separator: "/")
            return ShellWords.line(["lane", "-C", path, name])
        }
        return nil
    }
}

extension World {
    /// Returns the user of sources for a project.
    func sourceUser(_ project: Project) -> SourceUser {
        SourceUser(
            root: project.root, laneFiles: project.laneFiles, seenFrom: directory, environment: environment,
            builtInActions: program.actions.names, processes: processes, cancellation: cancellation,
            prepare: {
                watchSignals()
                StateDirectory.create(in: project.root)
            },
            report: { errors.writeLine($0) })
    }
}
