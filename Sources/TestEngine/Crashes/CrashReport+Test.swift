import Files
import LaneEvents
import TestOutput

extension CrashReport {
    /// What a process of the package below `root` said when it died. Without a back trace the runtime's message names a
    /// file by its module, as in `ShapeTests/A.swift`: then the package's own files tell which one that is.
    static func ofProcess(in output: [UInt8], root: String) -> CrashReport? {
        let report = find(in: output, root: root)
        guard let place = report?.location, !fileExists("\(root)/\(place.path)") else { return report }
        return find(in: output, root: root, sources: SourceIndex(root: root))
    }

    /// Frames in the package's own sources, innermost first.
    var ownFrames: [(function: String, location: SourceLocation)] {
        frames.compactMap { frame in
            guard let location = frame.location, !location.path.hasPrefix("/"), !location.path.hasPrefix(".build/"),
                !location.path.hasPrefix("<")
            else { return nil }
            return (frame.function, location)
        }
    }

    /// What a person is to read of it: the message, and the way there through the package's own functions, or else
    /// through all that have names.
    var text: String {
        // The backtracer's own troubles may stand between the message and the trace.
        let message = message.split(separator: "\n").filter { !$0.hasPrefix("swift-runtime: ") }.joined(separator: "\n")
        return ([message] + way).joined(separator: "\n")
    }

    private var way: ArraySlice<String> {
        let own = ownFrames.map { "  in \($0.function) at \($0.location.path):\($0.location.line)" }
        return (own.isEmpty ? frames.map { "  in \($0.function)" } : own).prefix(8)
    }

    /// Whether the crashed thread was in this test function.
    func passes(through test: TestInfo) -> Bool {
        let name = test.id.name.prefix { $0 != "(" }
        return ownFrames.contains { frame in
            frame.location.path == test.location?.path && frame.function.contains("\(name)(")
        }
    }
}
