import Actions
import Events
import LaneModel
import OperatingSystem
package import TestEngine
import Text

/// The package that a step tests: that of the root, or of a directory below it.
struct TestPackage {
    /// The absolute path.
    let directory: String
    /// The path relative to the root, either empty or with a trailing `/`.
    let prefix: String

    init(_ settings: Settings, in context: StepContext) {
        directory =
            settings.string("directory").map { absolutePath($0, from: context.directory) }
            ?? context.workingDirectory
        prefix = directory == context.directory ? "" : relativePath(directory, to: context.directory) + "/"
    }

    /// Returns the directory of the package in the user's checkout, which the history is about.
    func history(in context: StepContext) -> String {
        prefix.isEmpty ? context.root : absolutePath(String(prefix.dropLast()), from: context.root)
    }

    /// Returns an event with paths relative to the root.
    func located(_ kind: LaneEvent.Kind, in context: StepContext) -> LaneEvent.Kind {
        guard case .test(.attached(let test, let path)) = kind else { return kind.located(below: prefix) }
        return .test(.attached(test, path: relativePath(absolutePath(path, from: directory), to: context.root)))
    }

    /// Throws if the directory is missing or has no package.
    func check() throws(OperationFailure) {
        guard !prefix.isEmpty, !fileExists("\(directory)/Package.swift") else { return }
        throw OperationFailure(
            status: ExitStatus.fileNotFound.rawValue, "there is no 'Package.swift' in '\(prefix.dropLast())'")
    }
}

extension TestHistory {
    /// Creates the history of the tests of a package.
    ///
    /// - Parameters:
    ///   - root: The root of the lanes, whose directory `.lane` contains the history.
    ///   - package: The directory of the package.
    package convenience init(root: String, package: String) {
        let path = package == root ? "" : relativePath(package, to: root) + "/"
        let isBelow = !path.hasPrefix("../") && !path.hasPrefix("/")
        self.init(path: isBelow ? "\(root)/.lane/tests/\(path)history" : "\(package)/.lane/tests/history")
    }
}
