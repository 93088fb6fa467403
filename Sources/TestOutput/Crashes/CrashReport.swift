package import LaneEvents

/// What a dying Swift process said: the runtime's message, and the back trace of the short or the long form.
package struct CrashReport: Sendable, Equatable {
    /// A call on the way to the crash.
    package struct Frame: Sendable, Equatable {
        /// Demangled, as the runtime prints it.
        package let function: String
        /// Where the call stands, if debug information tells it.
        package let location: SourceLocation?
    }

    /// `Fatal error: Index out of range`, or the signal's description; may be of several lines.
    package let message: String
    /// The message is the runtime's, not only a signal's description.
    let hasMessage: Bool
    /// It was the runtime that ended the process, which it does not do without a message.
    let endsInRuntime: Bool
    /// The first place in the package's own code, else the place that the message names where that is a file of the
    /// package: then its path is `Module/File.swift`.
    package let location: SourceLocation?
    /// Of the crashed thread, innermost first, as far as they have names.
    package let frames: [Frame]

    /// This back trace with the message of another report.
    func saying(_ other: CrashReport) -> CrashReport {
        CrashReport(
            message: other.message, hasMessage: true, endsInRuntime: endsInRuntime,
            location: location ?? other.location, frames: frames)
    }

    /// Finds the last crash report in what a process printed; `nil` if there is none.
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

/// The line grammar of Swift's crash messages.
struct CrashLines: Sendable {
    private enum Part {
        case none, message, shortTrace, longReport, crashedThread
    }

    private static let markers: [StaticString] = [
        "Fatal error", "Precondition failed", "Assertion failed", "Could not cast value of type",
    ]
    /// Messages and traces do not grow beyond this many lines.
    private static let longest = 512

    let paths: SourcePaths
    private var part = Part.none
    private var message: [String] = []
    private var signal: String?
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
            message: text, hasMessage: !message.isEmpty, endsInRuntime: endsInRuntime, location: own ?? messageLocation,
            frames: frames)
    }

    /// Whether the line is part of a crash report.
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

    /// Forgets what was found.
    mutating func reset() { self = CrashLines(paths: paths) }

    /// `Module/File.swift:4: Fatal error: boom goes the test`
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

    /// The marker is all of the line, or a message follows.
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
        part = .longReport
        return true
    }

    private mutating func takeMessageRest(_ line: Bytes) -> Bool {
        // What the runtime says of its own difficulties with the back trace: `failed to suspend thread 7 …`.
        if line.hasPrefix("swift-runtime: ") { return true }
        guard !line.isEmpty, message.count < Self.longest else { return line.isEmpty }
        message.append(line.string)
        return true
    }

    /// `3    libswiftCore.so                    0x00007fdde4ef9280 _assertionFailure(_:_:file:line:flags:) + 221`
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

    /// `1 [ra] [system] 0x000056384cd5a59e ACrash.testBCrash() + 269 in CrashPackageTests.xctest at /path/X.swift:4:50`
    private mutating func takeLongFrame(_ line: Bytes) -> Bool {
        guard let number = line.number(at: 0), let address = line.firstIndex(of: " 0x", from: number.end),
            let space = line.firstIndex(of: 0x20, from: address + 3)
        else { return false }
        // Marks in brackets; a line of source code that the trace quotes has other words there.
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

    /// Swift 6.0 has no names for what is in the libraries.
    private func isOfRuntime(_ symbol: Bytes, in image: Bytes) -> Bool {
        symbol.hasPrefix("_assertionFailure(")
            || symbol.equals("<unknown>") && image.hasPrefix(" in libswiftCore.")
    }

    private mutating func add(_ symbol: Bytes, at location: SourceLocation?) {
        guard frames.count < Self.longest, !symbol.equals("<unavailable>"), !symbol.equals("<unknown>") else { return }
        frames.append(CrashReport.Frame(function: symbol.string, location: location))
    }

    /// Below the root and not made by the build.
    private func isOwn(_ location: SourceLocation) -> Bool {
        let path = location.path
        return !path.hasPrefix("/") && !path.hasPrefix(".build/") && !path.isEmpty && !path.hasPrefix("<")
    }
}
