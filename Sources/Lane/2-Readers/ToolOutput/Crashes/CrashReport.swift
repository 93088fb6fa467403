package import Events

/// The crash report of a Swift process: the runtime's message, and a stack trace in the short or long format.
package struct CrashReport: Sendable, Equatable {
    /// A frame of the stack trace.
    package struct Frame: Sendable, Equatable {
        /// The demangled name of the function.
        package let function: String
        /// The location, if there is debug information.
        let location: SourceLocation?
    }

    /// The message, such as `Fatal error: Index out of range`, or the description of the signal. It may have several
    /// lines.
    package let message: String
    /// A Boolean value that indicates whether the runtime printed a message.
    let hasMessage: Bool
    /// The signal that ended the process, if the report contains it.
    let signal: Int?
    /// A Boolean value that indicates whether the Swift runtime ended the process. The runtime always prints a message.
    let endsInRuntime: Bool
    /// The first location of the stack trace in the package's code. If there is none, the location in the message, in
    /// the form `Module/File.swift`, if it is a file of the package.
    package let location: SourceLocation?
    /// The named frames of the crashed thread, innermost first.
    package let frames: [Frame]

    /// Returns this report with the message of another report.
    func withMessage(of other: CrashReport) -> CrashReport {
        CrashReport(
            message: other.message, hasMessage: true, signal: signal, endsInRuntime: endsInRuntime,
            location: location ?? other.location, frames: frames)
    }

    /// Returns the last crash report in the output of a process, if any.
    package static func find(in output: [UInt8], root: String, sources: SourceIndex = SourceIndex()) -> CrashReport? {
        var lines = CrashLines(paths: SourcePaths(root: root, sources: sources))
        var splitter = LineSplitter()
        output.withUnsafeBytes { bytes in
            splitter.consume(bytes) { line, _ in lines.take(Bytes(line)) }
            splitter.finish { line, _ in lines.take(Bytes(line)) }
        }
        return lines.report
    }
}

/// The line grammar of Swift's crash reports.
struct CrashLines: Sendable {
    private enum Part {
        case none, message, shortTrace, longReport, crashedThread
    }

    private static let markers: [StaticString] = [
        "Fatal error", "Precondition failed", "Assertion failed", "Could not cast value of type",
    ]
    /// The maximum number of lines of messages and stack traces.
    private static let longest = 512

    let paths: SourcePaths
    private var part = Part.none
    private var message: [String] = []
    private var signal: String?
    private var signalNumber: Int?
    private var messageLocation: SourceLocation?
    private var frames: [CrashReport.Frame] = []
    private var endsInRuntime = false

    init(paths: SourcePaths) {
        self.paths = paths
    }

    var report: CrashReport? {
        guard !message.isEmpty || signal != nil else { return nil }
        let places = frames.lazy.compactMap(\.location)
        let named = messageLocation.flatMap { message in places.first { $0.path.hasSuffix("/\(message.path)") } }
        let own = places.first(where: isOwn) ?? named
        let text = message.isEmpty ? signal ?? "" : message.joined(separator: "\n")
        return CrashReport(
            message: text, hasMessage: !message.isEmpty, signal: signalNumber, endsInRuntime: endsInRuntime,
            location: own ?? messageLocation, frames: frames)
    }

    /// A Boolean value that indicates whether the last line was in a stack trace, or in the backtracer's report of
    /// threads, registers and images.
    var isInReport: Bool { part == .shortTrace || part == .longReport || part == .crashedThread }

    /// Parses a line. Returns `false` if the line is not part of a crash report.
    @discardableResult
    mutating func take(_ line: Bytes) -> Bool {
        if takeMessage(line) || takeHeader(line) { return true }
        switch part {
        case .none: return false
        case .message: return takeMessageRest(line)
        case .shortTrace: return takeShortFrame(line)
        case .longReport, .crashedThread: return takeReport(line)
        }
    }

    /// Discards the lines so far.
    mutating func reset() { self = CrashLines(paths: paths) }

    /// Parses `Module/File.swift:4: Fatal error: boom goes the test`.
    private mutating func takeMessage(_ line: Bytes) -> Bool {
        guard part != .longReport, part != .crashedThread else { return false }
        for marker in Self.markers {
            guard let start = line.firstIndex(of: marker), start == 0 || line.matches(": ", at: start - 2),
                isMarker(marker, endingAt: start + marker.utf8CodeUnitCount, in: line)
            else { continue }
            reset()
            message = [line.from(start).string]
            part = .message
            let place = start > 2 ? paths.location(line.upTo(start - 2)) : nil
            if let place, !place.path.hasPrefix("Swift/") { messageLocation = place }
            return true
        }
        return false
    }

    /// Returns a Boolean value that indicates whether a marker ends the line or precedes a message.
    private func isMarker(_ marker: StaticString, endingAt end: Int, in line: Bytes) -> Bool {
        end == line.count || line.matches(": ", at: end) || line.matches(" '", at: end)
    }

    private mutating func takeHeader(_ line: Bytes) -> Bool {
        if line.hasPrefix("Current stack trace:") {
            part = .shortTrace
            return true
        }
        guard line.hasPrefix("*** ") else { return false }
        if line.hasPrefix("*** Program crashed: ") {
            if message.isEmpty || part == .none { message = [] }
            signal = line.between(21, line.count - (line.hasSuffix(" ***") ? 4 : 0)).string
            part = .longReport
            return true
        }
        guard line.hasPrefix("*** Signal ") || line.hasPrefix("*** Swift runtime failure") else { return false }
        if part == .none { reset() }
        signalNumber = line.number(at: 11)?.value
        part = .longReport
        return true
    }

    private mutating func takeMessageRest(_ line: Bytes) -> Bool {
        // The runtime may report errors of its own while it creates the stack trace: `failed to suspend thread 7 …`.
        if line.hasPrefix("swift-runtime: ") { return true }
        guard !line.isEmpty, message.count < Self.longest else { return line.isEmpty }
        message.append(line.string)
        return true
    }

    /// Parses `3    libswiftCore.so                    0x00007fdde4ef9280 _assertionFailure(_:_:file:line:flags:) +
    /// 221`.
    private mutating func takeShortFrame(_ line: Bytes) -> Bool {
        guard let number = line.number(at: 0), let address = line.firstIndex(of: " 0x", from: number.end),
            let space = line.firstIndex(of: 0x20, from: address + 3)
        else {
            part = .none
            return false
        }
        let symbol = line.from(space + 1)
        let end = symbol.lastIndex(of: " + ") ?? symbol.count
        add(symbol.upTo(end), at: nil)
        return true
    }

    private mutating func takeReport(_ line: Bytes) -> Bool {
        if line.hasPrefix("Thread ") {
            part = line.hasSuffix(" crashed:") ? .crashedThread : .longReport
        } else if line.hasPrefix("Backtrace took ") {
            part = .none
        } else if part == .crashedThread, takeLongFrame(line.trimmed) {
            return true
        } else if line.hasPrefix("Registers:") {
            part = .longReport
        }
        return true
    }

    /// Parses `1 [ra] [system] 0x000056384cd5a59e ACrash.testBCrash() + 269 in CrashPackageTests.xctest at
    /// /path/X.swift:4:50`.
    private mutating func takeLongFrame(_ line: Bytes) -> Bool {
        guard let number = line.number(at: 0), let address = line.firstIndex(of: " 0x", from: number.end),
            let space = line.firstIndex(of: 0x20, from: address + 3)
        else { return false }
        // In a line of source code, this text is not only markers in brackets.
        let marks = line.between(number.end, address).trimmed
        guard marks.isEmpty || marks.hasPrefix("[") && marks.hasSuffix("]") else { return false }
        let rest = line.from(space + 1)
        let image = rest.lastIndex(of: " in ") ?? rest.count
        let place = rest.from(image).lastIndex(of: " at ").map { paths.location(rest.from(image + $0 + 4)) } ?? nil
        let symbol = rest.upTo(image)
        if number.value == 0 { endsInRuntime = isOfRuntime(symbol, in: rest.from(image)) }
        add(symbol.upTo(symbol.lastIndex(of: " + ") ?? symbol.count), at: place)
        return true
    }

    /// Returns a Boolean value that indicates whether a frame belongs to the runtime. The stack traces of Swift 6.0 do
    /// not name its libraries.
    private func isOfRuntime(_ symbol: Bytes, in image: Bytes) -> Bool {
        symbol.hasPrefix("_assertionFailure(")
            || symbol.equals("<unknown>") && image.hasPrefix(" in libswiftCore.")
    }

    private mutating func add(_ symbol: Bytes, at location: SourceLocation?) {
        guard frames.count < Self.longest, !symbol.equals("<unavailable>"), !symbol.equals("<unknown>") else { return }
        frames.append(CrashReport.Frame(function: symbol.string, location: location))
    }

    /// Returns a Boolean value that indicates whether a location is in a source file of the package and not in a build
    /// product.
    private func isOwn(_ location: SourceLocation) -> Bool {
        let path = location.path
        return !path.hasPrefix("/") && !path.hasPrefix(".build/") && !path.isEmpty && !path.hasPrefix("<")
    }
}
