import Archives
import Events
import OperatingSystem
import SwiftPackages
import Text

/// The files of a commit that its copy lacks.
struct OmittedSources: Sendable, Equatable {
    /// The paths of submodules that are not checked out.
    let submodules: [String]
    /// The targets of links that lead out of the package, by path.
    var links: [String: String] = [:]

    private static let hint = "hint: git submodule update --init --recursive"

    /// Returns the links that lead out of the package.
    static func outward(_ links: [String: String]) -> [String: String] {
        let relative = links.filter { !$0.value.hasPrefix("/") }
        let byBytes = Dictionary(uniqueKeysWithValues: relative.map { (Array($0.key.utf8), $0.value) })
        return links.filter { link, target in
            relative[link] == nil || target.isEmpty
                || !ArchivePath.staysInside(link, target: target, through: byBytes)
        }
    }

    /// Throws an error if submodules are missing, without which SwiftPM cannot describe the package.
    func requireDescribable() throws(OperationFailure) {
        guard !submodules.isEmpty else { return }
        let names = list(submodules.map { "'\($0)'" }, joinedBy: "and")
        throw .refused(["the package needs the submodules \(names), which are not checked out\n\(Self.hint)"])
    }

    /// Throws an error if a target lacks sources.
    ///
    /// - Parameter targets: The targets that are built.
    func refuse(for targets: [PackageDescription.Target]) throws(OperationFailure) {
        var problems: [String] = []
        for target in targets {
            for submodule in submodules where target.covers(submodule) || path(target.path, isBelow: submodule) {
                problems.append(
                    """
                    the target '\(target.name)' needs the submodule '\(submodule)', which is not checked out
                    \(Self.hint)
                    """)
            }
            for (link, destination) in links.sorted(by: { $0.key < $1.key }) where target.covers(link) {
                problems.append(
                    """
                    the link '\(link)' of the target '\(target.name)' leads out of the package, to '\(destination)'
                    hint: commit a copy of the file instead of the link, or exclude it from the target
                    """)
            }
        }
        guard problems.isEmpty else { throw .refused(problems) }
    }

    /// Reports missing files as warnings.
    func warn(_ tools: ToolRunner) {
        if !submodules.isEmpty {
            let names = list(submodules.map { "'\($0)'" }, joinedBy: "and")
            tools.report(.warning, "omitted submodules that are not checked out: \(names)\n\(Self.hint)")
        }
        if !links.isEmpty {
            let names = list(links.keys.sorted().map { "'\($0)'" }, joinedBy: "and")
            tools.report(
                .warning, "omitted links out of the package: \(names)")
        }
    }
}

/// Returns a Boolean value that indicates whether a relative path is equal to `directory` or inside it.
func path(_ path: String, isBelow directory: String) -> Bool {
    directory == "." || path == directory || path.hasPrefix(directory + "/")
}

extension PackageDescription.Target {
    /// Returns a Boolean value that indicates whether a file or directory of the package belongs to the target.
    func covers(_ file: String) -> Bool {
        guard Packaging.path(file, isBelow: path) else { return false }
        let rest = path == "." ? file : String(file.dropFirst(path.utf8.count + 1))
        if excluded.contains(where: { Packaging.path(rest, isBelow: $0) }) { return false }
        return declaredSources.map { $0.contains { Packaging.path(rest, isBelow: $0) } } ?? true
    }
}
