import Arguments
import Diagnostics
import LaneModel

/// The lanes of a project, checked: its own, or the built-in ones where it has none.
struct LaneCatalog: Sendable {
    /// What completions call the names of its lanes.
    static let topicName = "lanes"

    let project: Project
    let files: CheckedLaneFiles
    /// The lane files that `files` were read from.
    let sources: [SourceFile]
    /// What the executables in `Lanes/actions` say of themselves.
    let customActions: [ActionSchema]
    private let customProblems: Diagnostics

    /// Lanes that a person may ask for, by name.
    var lanes: [Lane] { files.lanes.filter { !$0.isPrivate } }

    /// Finds and checks the lanes around the working directory. Bad lane files are not thrown here: `requireSound` does
    /// that, for all lanes or one.
    ///
    /// - Parameter looksAgain: Trusts nothing that an earlier run has found out.
    static func load(looksAgain: Bool = false, in world: World) throws(CommandFailure) -> LaneCatalog {
        load(try Project.find(from: world.directory), looksAgain: looksAgain, in: world)
    }

    /// Checks the lanes of a project.
    static func load(_ project: Project, looksAgain: Bool = false, in world: World) -> LaneCatalog {
        let sources = project.hasLaneFiles ? project.laneFiles : BuiltInLanes.sources
        let reserved = Set(Program.subcommands.map { $0.name })
        let custom = CustomActions.load(project.root, looksAgain: looksAgain, in: world) {
            LaneFiles.secretNames(in: sources)
        }
        return LaneCatalog(
            project: project,
            files: LaneFiles.check(
                sources, unread: project.unread.map(\.file), actions: custom.schemas,
                undescribed: custom.undescribed, reserved: reserved),
            sources: sources, customActions: custom.schemas, customProblems: custom.diagnostics)
    }

    /// Everything that is wrong with the lane files, and with parameters that would hide an option of every lane.
    var diagnostics: Diagnostics {
        var diagnostics = customProblems
        diagnostics.add(fileDiagnostics)
        return diagnostics
    }

    private var fileDiagnostics: Diagnostics {
        var diagnostics = files.diagnostics
        for unread in project.unread {
            diagnostics.error(unread.problem, at: Span(file: unread.file, range: 0..<0))
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
                    at: parameter.span, hint: "give it another name")
            } else if parameter.hasInverse, let other = lane.parameter("no-\(parameter.name)") {
                diagnostics.add(
                    Diagnostic(
                        .error, "'--\(other.name)' is what switches '\(parameter.name)' off", at: other.span,
                        hint: "give it another name",
                        notes: [Diagnostic.Note("'\(parameter.name)' is on without it", at: parameter.span)]))
            }
        }
    }

    /// Throws all that is wrong, worded for a person.
    func requireSound() throws(CommandFailure) {
        let diagnostics = diagnostics
        guard diagnostics.hasErrors else { return }
        throw CommandFailure(diagnostics)
    }

    /// Throws what is wrong as far as it concerns one lane.
    func requireSound(_ lane: String) throws(CommandFailure) {
        var diagnostics = files.hasUndescribedAction(lane) ? customProblems : Diagnostics()
        diagnostics.add(files.diagnostics(fileDiagnostics, concerning: lane))
        guard diagnostics.hasErrors else { return }
        throw CommandFailure(diagnostics)
    }

    /// The lane of that name, or a failure that names the nearest one.
    func lane(_ name: String) throws(CommandFailure) -> Lane {
        if let lane = files[name], !lane.isPrivate { return lane }
        if files[name] != nil {
            throw CommandFailure(.usage, "lane '\(name)' is private: it is there for other lanes to use")
        }
        throw CommandFailure(.fileNotFound, "there is no lane '\(name)'", hint: hint(for: name))
    }

    private func hint(for name: String) -> String {
        // Only a package with lane files lacks one of these.
        if BuiltInLanes.names.contains(name) { return "'lane init' adds the built-in lanes to those in Lanes/" }
        let names = lanes.map(\.name) + Program.subcommands.map { $0.name }
        return nearest(to: name, among: names).map { "did you mean '\($0)'?" } ?? "'lane list' shows what there is"
    }
}
