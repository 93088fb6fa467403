import Events
import OperatingSystem
import Text
import ToolOutput

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
