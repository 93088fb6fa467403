package import Events

extension CrashReport {
    /// The frames in the package's sources, innermost first.
    package var ownFrames: [(function: String, location: SourceLocation)] {
        frames.compactMap { frame in
            guard let location = frame.location, !location.path.hasPrefix("/"), !location.path.hasPrefix(".build/"),
                !location.path.hasPrefix("<")
            else { return nil }
            return (frame.function, location)
        }
    }

    /// The message and the stack trace. The trace contains the package's functions, or all named functions if there are
    /// none.
    package var text: String {
        // The backtracer may print errors between the message and the stack trace.
        let message = message.split(separator: "\n").filter { !$0.hasPrefix("swift-runtime: ") }.joined(separator: "\n")
        return ([message] + way).joined(separator: "\n")
    }

    /// The message and the package's functions in the stack trace.
    var ownText: String { ([message] + ownWay.prefix(8)).joined(separator: "\n") }

    private var way: ArraySlice<String> {
        (ownFrames.isEmpty ? frames.map { "  in \($0.function)" } : ownWay).prefix(8)
    }

    private var ownWay: [String] {
        ownFrames.map { "  in \($0.function) at \($0.location.path):\($0.location.line)" }
    }
}
