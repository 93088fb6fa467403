package import LaneModel
package import OperatingSystem
import StepActions
package import Text

/// The lanes and actions of the repositories that a project names in `Lanes/remote/sources.yml`.
package struct RemoteLanes: Sendable {
    /// The sources to load, and to fetch if they are not in the cache.
    package enum Scope: Sendable {
        /// All sources are loaded and fetched.
        case all
        /// Only sources that the package's lane files or some words mention are loaded and fetched.
        case mentioned(orIn: [String])
        /// All sources are loaded, and none is fetched.
        case cached
    }

    package private(set) var imports: [LaneImport] = []
    /// The paths of the executables, by the full names of their actions.
    package private(set) var executables: [String: String] = [:]
    /// The reasons why sources could not be loaded.
    package private(set) var diagnostics = Diagnostics()
    /// The errors for entries of the lock file without a source, which do not prevent a run.
    package private(set) var unusedEntries = Diagnostics()

    /// Creates the lanes of a package without sources.
    init() {}

    /// Loads the lanes of a package's sources. Fetches exactly the commits in the lock file.
    ///
    /// - Parameter ignoresCache: A Boolean value that indicates whether cached descriptions of actions are ignored.
    package static func load(
        for package: SourceUser, _ scope: Scope, ignoresCache: Bool
    ) -> RemoteLanes {
        var remote = RemoteLanes()
        let sources: PackageSources?
        do throws(Diagnostics) {
            sources = try PackageSources.read(root: package.root, seenFrom: package.directory)
        } catch {
            remote.diagnostics.add(error)
            return remote
        }
        guard let sources else { return remote }
        remote.unusedEntries = sources.unusedEntries
        let names = Set(package.laneFiles.map { LaneFiles.name(of: $0.path) })
        for source in sources.sources {
            if names.contains(source.name) {
                remote.diagnostics.error(
                    "a lane and a source are named '\(source.name)'", at: source.span, hint: "rename one of them")
            }
            guard scope.contains(source.name, in: package.laneFiles) else { continue }
            do throws(Diagnostic) {
                let locked = try sources.locked(source)
                try remote.load(locked, source, package, fetches: scope.fetches, ignoresCache: ignoresCache)
            } catch {
                remote.diagnostics.add(error)
                remote.imports.append(LaneImport(name: source.name, isAvailable: false))
            }
        }
        return remote
    }

    private mutating func load(
        _ locked: LockedSource, _ source: LaneSource, _ package: SourceUser, fetches: Bool, ignoresCache: Bool
    ) throws(Diagnostic) {
        let cache = package.cache()
        let state = cache.state(of: locked)
        if state != .valid {
            guard fetches else {
                throw Diagnostic(.error, "source '\(source.name)' is not in the cache", at: source.span)
            }
            let reason = state == .damaged ? ", because the files in the cache differ from the lock" : ""
            package.report(
                "fetching '\(source.name)' from \(locked.url) at \(locked.commit.prefix(12))\(reason)")
            do throws(OperationFailure) {
                try cache.fetch(locked)
            } catch {
                throw Diagnostic(error, at: source.span)
            }
        }
        let directory = cache.directory(locked.name, at: locked.commit)
        try add(source, directory, package, runsActions: fetches, ignoresCache: ignoresCache)
    }

    private mutating func add(
        _ source: LaneSource, _ directory: String, _ package: SourceUser, runsActions: Bool, ignoresCache: Bool
    ) throws(Diagnostic) {
        var files: [SourceFile] = []
        do throws(FileError) {
            for name in try listDirectory(directory) where LaneFiles.isLaneFile(name) {
                let path = "\(directory)/\(name)"
                files.append(
                    SourceFile(path: relativePath(path, to: package.directory), bytes: try readFile(path)))
            }
        } catch {
            throw Diagnostic(.error, error.description, at: source.span)
        }
        let prefix = "\(source.name)/"
        let actions = ActionDirectory("\(directory)/actions", prefix: prefix, root: package.root).load(
            besides: package.builtInActions, ignoresCache: ignoresCache, seenFrom: package.directory,
            environment: package.environment
        ) {
            runsActions ? package.processes(withholding: LaneFiles.secretNames(in: package.laneFiles + files)) : nil
        }
        for schema in actions.schemas {
            executables[schema.name] =
                "\(directory)/actions/\(Substring(schema.name.utf8.dropFirst(prefix.utf8.count)))"
        }
        diagnostics.add(actions.diagnostics)
        imports.append(
            LaneImport(
                name: source.name, files: files, actions: actions.schemas, undescribed: actions.undescribed))
    }
}

extension Diagnostic {
    /// Creates an error from a failure. The last line of the failure may be a hint.
    package init(_ failure: OperationFailure, at span: Span?) {
        let mark = "\nhint: "
        let parts = failure.message.range(of: mark)
        self.init(
            .error, parts.map { String(failure.message[..<$0.lowerBound]) } ?? failure.message, at: span,
            hint: parts.map { String(failure.message[$0.upperBound...]) })
    }
}

extension RemoteLanes.Scope {
    fileprivate var fetches: Bool { if case .cached = self { false } else { true } }

    /// Returns a Boolean value that indicates whether a source is loaded.
    fileprivate func contains(_ source: String, in laneFiles: [SourceFile]) -> Bool {
        guard case .mentioned(let words) = self else { return true }
        let prefix = "\(source)/"
        return words.contains { $0.hasPrefix(prefix) }
            || laneFiles.contains { String(decoding: $0.bytes, as: UTF8.self).range(of: prefix) != nil }
    }
}
