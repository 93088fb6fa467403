import Arguments
import LaneModel
import OperatingSystem
import RemoteLanes
import Text

/// The command `lane update`.
enum UpdateCommand: Subcommand {
    static let name = "update"

    private static let source = Key<String?>.positional(
        "source", help: "The source to update; all sources by default.")

    static let spec = CommandSpec(
        name, abstract: "Update the commits of lanes and actions from other repositories.",
        discussion: """
            Finds the latest commits that \(SourcesFile.path) accepts, fetches them, prints the files that \
            differ, and writes the commits to \(SourcesLock.path). Runs use exactly these commits. \
            See 'lane help remote-lanes'.
            """,
        parameters: [source.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let project = try Project.find(from: world.directory)
        let root = project.root
        let package = try sources(of: root, in: world)
        let cache = world.sourceUser(project).cache()
        let updates = try updates(of: package, named: arguments[source], in: cache, world)
        for update in updates { show(update, in: cache, world) }
        // Another update may have written the lock file in the meantime.
        let lock = try sources(of: root, in: world).lock
        let names = Set(updates.map(\.new.name))
        let known = Set(package.sources.map(\.name))
        let new = SourcesLock(
            lock.sources.filter { !names.contains($0.name) && known.contains($0.name) } + updates.map(\.new))
        for entry in lock.sources where !known.contains(entry.name) {
            world.output.writeLine("\(entry.name) is no longer a source")
        }
        guard new != lock else {
            world.output.writeLine("\(SourcesLock.path) is up to date")
            return .done
        }
        do throws(FileError) {
            try writeFile(new.text, to: "\(root)/\(SourcesLock.path)")
        } catch {
            throw CommandFailure(error)
        }
        world.output.writeLine("\(SourcesLock.path) was written; review the changes, and commit it")
        return .done
    }

    private static func sources(of root: String, in world: World) throws(CommandFailure) -> PackageSources {
        let package: PackageSources?
        do throws(Diagnostics) {
            package = try PackageSources.read(root: root, seenFrom: world.directory)
        } catch {
            throw CommandFailure(error)
        }
        guard let package else {
            throw CommandFailure(
                .fileNotFound, "there is no file '\(SourcesFile.path)'", hint: "see 'lane help remote-lanes'")
        }
        return package
    }

    /// Resolves and fetches all requested sources. Throws all failures.
    private static func updates(
        of package: PackageSources, named name: String?, in cache: SourceCache, _ world: World
    ) throws(CommandFailure) -> [SourceUpdate] {
        let wanted = package.sources.filter { name == nil || $0.name == name }
        if wanted.isEmpty, let name {
            let near = suggestion(for: name, among: package.sources.map(\.name))
            throw CommandFailure(
                .fileNotFound, "there is no source '\(name)'", hint: near)
        }
        var updates: [SourceUpdate] = []
        var failures = Diagnostics()
        for source in wanted where !world.cancellation.isCancelled {
            do throws(OperationFailure) {
                updates.append(try SourceUpdate(of: source, from: package.lock[source.name], in: cache))
            } catch {
                failures.add(Diagnostic(error, at: source.span))
            }
        }
        if failures.hasErrors { throw CommandFailure(failures, .failed) }
        return updates
    }

    private static func show(_ update: SourceUpdate, in cache: SourceCache, _ world: World) {
        let style = world.style(for: world.output)
        let name = style.apply(.bold, to: update.new.name)
        if update.isUnchanged {
            world.output.writeLine("\(name) \(update.new.description), unchanged")
            return
        }
        let arrow = style.symbol("→", orElse: "->")
        let before = update.old.map { "\($0.description) \(arrow) " } ?? ""
        world.output.writeLine("\(name) \(before)\(update.new.description)")
        for file in update.files ?? [] {
            let mode = file.isExecutable.map { $0 ? " (now executable)" : " (no longer executable)" } ?? ""
            world.output.writeLine("  \(file.change.rawValue) \(file.path)\(mode)")
        }
        guard let old = update.old, old.sha256 != update.new.sha256 else { return }
        let directories = [old, update.new].map {
            relativePath(cache.directory($0.name, at: $0.commit), to: world.directory)
        }
        world.output.writeLine(
            update.files == nil
                ? "  the files of \(old.commit.prefix(12)) could not be fetched, so the changes are unknown"
                : style.apply(.faint, to: "  git diff --no-index \(ShellWords.line(directories))"))
    }
}
