import LaneEvents
import TestOutput

extension CrashReport {
    /// Frames in the package's own sources, innermost first.
    var ownFrames: [(function: String, location: SourceLocation)] {
        frames.compactMap { frame in
            guard let location = frame.location, !location.path.hasPrefix("/"), !location.path.hasPrefix(".build/"),
                !location.path.hasPrefix("<")
            else { return nil }
            return (frame.function, location)
        }
    }

    /// Whether the crashed thread was in this test function.
    func passes(through test: TestInfo) -> Bool {
        let name = test.id.name.prefix { $0 != "(" }
        return ownFrames.contains { frame in
            frame.location.path == test.location?.path && frame.function.contains("\(name)(")
        }
    }
}
