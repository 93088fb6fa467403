import Events
import OperatingSystem
import Text
package import ToolOutput

extension CrashReport {
    /// Returns the crash report in the output of a process. Without a stack trace, resolves the path in the message,
    /// such as `ShapeTests/A.swift`, with the files of the package.
    static func ofProcess(in output: [UInt8], root: String) -> CrashReport? {
        let report = find(in: output, root: root)
        guard let place = report?.location, !fileExists("\(root)/\(place.path)") else { return report }
        return find(in: output, root: root, sources: SourceIndex(root: root))
    }

    /// Returns a Boolean value that indicates whether the stack trace contains a test function.
    func passes(through test: TestInfo) -> Bool {
        let name = test.id.name.prefix { $0 != "(" }
        return ownFrames.contains { frame in
            frame.location.path == test.location?.path && frame.function.contains("\(name)(")
        }
    }
}

extension SanitizerReport {
    /// Returns a Boolean value that indicates whether a stack trace contains a line of this test, that is, a line of
    /// its file after its declaration and before the next test.
    func passes(through test: TestInfo) -> Bool {
        guard let start = test.location else { return false }
        return ways.contains { $0.path == start.path && $0.line >= start.line }
    }
}

extension SourceIndex {
    /// Creates an index of the Swift files in the usual directories of a package.
    package init(root: String) {
        self.init(
            paths: ["Sources", "Tests"].flatMap { directory in
                files(below: "\(root)/\(directory)") { $0.hasSuffix(".swift") }.map { "\(directory)/\($0)" }
            })
    }
}
