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

    /// The frames in the package's sources, innermost first.
    var ownFrames: [(function: String, location: SourceLocation)] {
        frames.compactMap { frame in
            guard let location = frame.location, !location.path.hasPrefix("/"), !location.path.hasPrefix(".build/"),
                !location.path.hasPrefix("<")
            else { return nil }
            return (frame.function, location)
        }
    }

    /// The message and the stack trace. The trace contains the package's functions, or all named functions if there are
    /// none.
    var text: String {
        // The backtracer may print errors between the message and the stack trace.
        let message = message.split(separator: "\n").filter { !$0.hasPrefix("swift-runtime: ") }.joined(separator: "\n")
        return ([message] + way).joined(separator: "\n")
    }

    private var way: ArraySlice<String> {
        let own = ownFrames.map { "  in \($0.function) at \($0.location.path):\($0.location.line)" }
        return (own.isEmpty ? frames.map { "  in \($0.function)" } : own).prefix(8)
    }

    /// Returns a Boolean value that indicates whether the stack trace contains a test function.
    func passes(through test: TestInfo) -> Bool {
        let name = test.id.name.prefix { $0 != "(" }
        return ownFrames.contains { frame in
            frame.location.path == test.location?.path && frame.function.contains("\(name)(")
        }
    }
}
