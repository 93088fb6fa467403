package import Events
import Text

/// A parser of the output of `swift build` with both build systems, and of its compilers and linkers. It emits the
/// progress, and each diagnostic once.
package struct BuildOutputParser: Sendable {
    /// A diagnostic or report with further lines.
    private enum Open: Sendable {
        case none
        case diagnostic(DiagnosticHead)
        /// The report of a linker, up to its last line.
        case link(LinkReport)
    }

    private static let maximumExcerptLines = 2000

    let paths: SourcePaths
    private var open = Open.none
    private var lines: [String] = []
    /// A Boolean value that indicates whether the next row redraws the last row of the excerpt.
    private var redrawsRow = false
    private var reported = ReportedDiagnostics()
    /// The text of a final `error: fatalError` or similar. It is reported only if there is no other error.
    private var closing: String?
    /// The advice that was already given. Each advice is given once.
    private var given: Set<BuildAdvice> = []
    /// The addresses of the repositories that SwiftPM has begun to fetch.
    private var addresses: [String] = []
    /// The number of reported errors.
    package private(set) var errors = 0
    /// A Boolean value that indicates whether the linker has reported an error.
    package private(set) var hasLinkError = false
    /// A Boolean value that indicates whether the last build has its end.
    private(set) var hasCompleted = false
    /// A Boolean value that indicates whether the resolution of dependencies has its end.
    private(set) var hasResolved = false
    /// The build that has begun and has no end yet.
    private(set) var progress = Progress.none
    /// The number of lines so far that only a Swift build prints.
    private(set) var steps = 0

    /// The progress of a build.
    enum Progress: Sendable {
        case none
        /// Only the planning of a build. With separate streams, its line may follow the tests.
        case planning
        case working
    }

    private var feed = LineFeed(stripsEscapes: true)
    /// The lines of `consume(_:emit:)` that match no grammar, in order, for builds that fail without a diagnostic.
    package private(set) var unknownLines: [String] = []

    /// Creates a parser. `root` is the absolute path of the package.
    package init(root: String) { self.init(paths: SourcePaths(root: root)) }

    /// Creates a parser of lines.
    init(paths: SourcePaths) { self.paths = paths }

    /// Parses the next bytes and emits their events. A chunk can end anywhere.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (LaneEvent.Kind) -> Void) {
        var feed = self.feed.lend()
        feed.consume(bytes) { takeOrKeep($0, emit) }
        // SwiftPM ends the line when it no longer waits.
        if feed.isPending(from: Self.waiting.start, to: Self.waiting.end) { feed.finish { takeOrKeep($0, emit) } }
        self.feed = feed
    }

    /// Parses an unterminated last line, and emits buffered events.
    package mutating func finish(emit: (LaneEvent.Kind) -> Void) {
        var feed = self.feed.lend()
        feed.finish { takeOrKeep($0, emit) }
        flush(emit)
        guard let closing, errors == 0 else { return }
        self.closing = nil
        report(BuildDiagnostic(.error, closing), emit)
    }

    private mutating func takeOrKeep(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) {
        guard !take(line, emit), !line.text.isEmpty, unknownLines.count < 1000 else { return }
        unknownLines.append(line.text.string)
    }

    /// A Boolean value that indicates whether a diagnostic is open. Unknown lines then belong to its excerpt.
    var isOpen: Bool {
        if case .none = open { false } else { true }
    }

    /// Parses a line. Returns `false` if the line does not belong to a build.
    mutating func take(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        let text = line.text
        if text.isEmpty { return takeEmpty(line, emit) }
        if case .link = open, takeLinkLine(text, emit) { return true }
        if let rest = takeWaiting(text, emit) {
            return rest.isEmpty || take(Line(text: rest, ending: line.ending, continuesPiece: false), emit)
        }
        if takeProgress(text, emit) || takePhase(line, emit) || takeHead(text, emit) { return true }
        return takeExcerpt(line) || isVerbose(text)
    }

    /// Emits buffered diagnostics, including those in macro expansions.
    mutating func flush(_ emit: (LaneEvent.Kind) -> Void) {
        close(emit)
        for diagnostic in reported.takeHeld() { report(diagnostic, emit) }
    }

    private mutating func report(_ diagnostic: BuildDiagnostic, _ emit: (LaneEvent.Kind) -> Void) {
        emit(.buildDiagnostic(diagnostic))
        guard diagnostic.severity == .error else { return }
        errors += 1
        guard let advice = BuildAdvice(of: diagnostic.message, fetching: addresses),
            // The module is missing because of the cache.
            advice != .movedDirectory || !given.contains(.unwritable(.home)), given.insert(advice).inserted
        else { return }
        emit(.buildDiagnostic(BuildDiagnostic(.note, advice.text)))
    }

    /// Ends an excerpt at an empty line, unless the line only clears a terminal row.
    private mutating func takeEmpty(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        guard case .carriageReturn = line.ending else {
            if case .link = open { return true }
            let wasOpen = isOpen
            close(emit)
            return wasOpen
        }
        return true
    }

    private mutating func takeExcerpt(_ line: Line) -> Bool {
        guard isOpen, lines.count < Self.maximumExcerptLines else { return false }
        if redrawsRow { lines.removeLast() }
        lines.append(line.text.string)
        redrawsRow = line.ending == .carriageReturn
        return true
    }
}

// MARK: Progress

extension BuildOutputParser {
    /// Parses `[5/17] Compiling Demo Demo.swift`.
    private mutating func takeProgress(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        guard text[0] == UInt8(ascii: "["), let finished = text.number(at: 1), text[finished.end] == UInt8(ascii: "/"),
            let total = text.number(at: finished.end + 1), text[total.end] == UInt8(ascii: "]")
        else { return false }
        flush(emit)
        let words = text.from(total.end + 1).trimmed
        if words.hasPrefix("Build complete!") {
            complete()
            return true
        }
        if isStep(words) { begin(words) }
        if !words.isEmpty {
            emit(.buildProgress(BuildProgress(finished: finished.value, total: total.value, text: words.string)))
        }
        return true
    }

    /// The progress messages before and between numbered steps.
    private static let phases: [StaticString] = [
        "Fetching ", "Fetched ", "Updating ", "Updated ", "Computing ", "Computed ", "Creating working copy ",
        "Working copy of ", "Cloning ", "Compiling ", "Resolving ", "Downloading ", "Downloaded ", "Building for ",
        "Building targets", "Planning ", "Pre-planning ", "Starting", "Loading ", "Checking out ", "Skipping cache ",
        "Initializing", "Removing ",
    ]

    /// The beginnings of the numbered steps of a build. Other tools print numbered lines, too.
    private static let steps: [StaticString] = [
        "Planning ", "Compiling ", "Emitting module ", "Write ", "Wrapping AST ", "Linking ", "Merging module ",
        "Archiving ", "Applying ", "Copying ", "Precompiling ", "Pre-planning ", "/",
    ]

    /// Returns a Boolean value that indicates whether a numbered line is a step of SwiftPM's own build system, or of Swift
    /// Build, such as `Demo 31 / 94`.
    private func isStep(_ words: Bytes) -> Bool {
        if Self.steps.contains(where: words.hasPrefix) { return true }
        guard let slash = words.lastIndex(of: " / "), slash > 0, let total = words.number(at: slash + 3) else {
            return false
        }
        return total.end == words.count && words[slash - 1].isDigit
    }

    /// The beginnings of the messages that are not the last of a resolution.
    private static let resolutionSteps: [StaticString] = ["Fetching ", "Computing version ", "Creating working copy "]

    /// Returns a Boolean value that indicates whether a line is the last message of the resolution of a dependency.
    private func isResolutionEnd(_ text: Bytes) -> Bool {
        text.hasPrefix("Computed ") && text.firstIndex(of: " at ") != nil
            || text.hasPrefix("Working copy of ") && text.firstIndex(of: " resolved at ") != nil
            || text.hasPrefix("Removing ") && text.firstIndex(of: "://") != nil
    }

    private mutating func begin(_ words: Bytes) {
        steps += 1
        hasCompleted = false
        if !words.hasPrefix("Planning ") {
            progress = .working
        } else if progress == .none {
            progress = .planning
        }
    }

    private mutating func complete() {
        hasCompleted = true
        progress = .none
    }

    /// The progress messages of `git fetch`, which redraw their terminal row.
    private static let gitPhases: [StaticString] = [
        "remote: ", "Enumerating objects: ", "Counting objects: ", "Compressing objects: ", "Receiving objects: ",
        "Unpacking objects: ", "Resolving deltas: ", "Updating files: ", "Filtering content: ", "Cloning into ",
    ]

    private mutating func takePhase(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        let text = line.text
        switch text[0] {
        case UInt8(ascii: "r") where text.hasPrefix("remote: "): break
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): break
        case UInt8(ascii: "["): return takeFootnote(text, emit)
        default: return false
        }
        if text.hasPrefix("Build complete!") || text.hasPrefix("Build of ") && text.firstIndex(of: " complete!") != nil
        {
            flush(emit)
            complete()
            return true
        }
        let isOfGit = Self.gitPhases.contains(where: text.hasPrefix)
        guard isOfGit || Self.phases.contains(where: text.hasPrefix) else { return false }
        flush(emit)
        if text.hasPrefix("Building for "), text.hasSuffix("...") {
            begin(text)
        } else if isResolutionEnd(text) {
            hasResolved = true
        } else if Self.resolutionSteps.contains(where: text.hasPrefix) {
            hasResolved = false
        }
        if isOfGit, line.ending == .carriageReturn { return true }
        if text.hasPrefix("Fetching "), let address = text.string.split(separator: " ").dropFirst().first {
            addresses.append(String(address))
        }
        emit(.buildProgress(BuildProgress(finished: 0, total: 1, text: text.string)))
        return true
    }

    /// The start and the end of SwiftPM's message about another process, which the next message follows on the same line.
    private static let waiting: (start: StaticString, end: StaticString) = (
        "Another instance of SwiftPM", "waiting until that process has finished execution..."
    )

    /// Parses SwiftPM's message that it waits for another process. Returns the rest of the line, or `nil` for other lines.
    private mutating func takeWaiting(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bytes? {
        guard text.hasPrefix(Self.waiting.start), let start = text.firstIndex(of: Self.waiting.end) else { return nil }
        flush(emit)
        // Without the comma before it.
        emit(.message(Message(.note, "waiting, because a\(text.between(1, max(1, start - 2)).string)")))
        return text.from(start + Self.waiting.end.utf8CodeUnitCount)
    }

    /// Returns a Boolean value that indicates whether a line is a command of a verbose build or information about a
    /// tool.
    private func isVerbose(_ text: Bytes) -> Bool {
        let prefixes: [StaticString] = [
            "Write auxiliary file ", "Swift version ", "Apple Swift version ", "Target: ", "clang version ",
            "Apple clang version ", "Thread model: ", "InstalledDir: ", "Found candidate GCC ", "Selected GCC ",
            "Candidate multilib: ", "Selected multilib: ", "swift-driver version: ",
        ]
        if prefixes.contains(where: text.hasPrefix) { return true }
        guard text[0] == UInt8(ascii: "/"), let end = text.firstIndex(of: 0x20) else { return false }
        let tools: [StaticString] = [
            "/swiftc", "/swift-frontend", "/clang", "/clang++", "/swift-autolink-extract", "/ar",
        ]
        return tools.contains(where: text.upTo(end).hasSuffix)
    }

    /// Parses `[#DeprecatedDeclaration]: <https://…>`.
    private mutating func takeFootnote(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        guard text.hasPrefix("[#"), text.firstIndex(of: "]: <") != nil else { return false }
        close(emit)
        return true
    }
}

// MARK: Diagnostics

extension BuildOutputParser {
    private mutating func takeHead(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        if isExcerptRow(text) { return false }
        if BuildCause.isLinkError(text) {
            close(emit)
            open = .link(LinkReport(text))
            return true
        }
        guard let head = DiagnosticHead(text, paths) ?? DiagnosticHead(cause: text) else { return false }
        close(emit)
        if takeClosing(head) || isNoise(text) { return true }
        if head.message.hasPrefix("link command failed") || head.message.hasPrefix("linker command failed") {
            open = .link(LinkReport(text))
        } else {
            open = .diagnostic(head)
        }
        return true
    }

    /// Returns a Boolean value that indicates whether a line is part of a source excerpt, which may repeat the message.
    private func isExcerptRow(_ text: Bytes) -> Bool {
        guard isOpen else { return false }
        let start = text.trimmed
        if start[0] == UInt8(ascii: "|") || start[0] == UInt8(ascii: "`") { return true }
        guard let number = start.number(at: 0) else { return false }
        return start.from(number.end).trimmed[0] == UInt8(ascii: "|")
    }

    /// Parses the final line of a failed command. It only repeats earlier errors.
    private mutating func takeClosing(_ head: DiagnosticHead) -> Bool {
        let words = ["fatalError", "ExitCode(rawValue: 1)", "emit-module command failed", "Compiling failed"]
        guard head.severity == .error, head.location == nil, words.contains(where: head.message.hasPrefix) else {
            return false
        }
        closing = head.message
        return true
    }

    /// Returns a Boolean value that indicates whether a line is a warning of the gold linker about the local symbols of
    /// AddressSanitizer.
    private func isNoise(_ text: Bytes) -> Bool {
        text.firstIndex(of: "ld.gold: warning: Cannot export local symbol '__asan_") != nil
    }

    private mutating func close(_ emit: (LaneEvent.Kind) -> Void) {
        defer {
            open = .none
            lines = []
            redrawsRow = false
        }
        switch open {
        case .none: break
        case .link(let report):
            hasLinkError = true
            emitOnce(report.diagnostic(paths), emit)
        case .diagnostic(let head) where head.isAboutDependency(excerpt: lines): break
        case .diagnostic(let head):
            let diagnostic = head.diagnostic(excerpt: lines, paths)
            if head.isInMacro {
                reported.hold(diagnostic)
            } else if reported.isNew(diagnostic) {
                report(diagnostic, emit)
            }
        }
    }

    private mutating func emitOnce(_ diagnostic: BuildDiagnostic, _ emit: (LaneEvent.Kind) -> Void) {
        if reported.isNew(diagnostic) { report(diagnostic, emit) }
    }
}

// MARK: Linkers

extension BuildOutputParser {
    private mutating func takeLinkLine(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        if text[0] == UInt8(ascii: "["), text.number(at: 1) != nil { return false }
        if text.hasPrefix("error: fatalError") || text.hasPrefix("Build complete!") { return false }
        if text.firstIndex(of: ": error: linker command failed") != nil {
            close(emit)
            return true
        }
        guard case .link(var report) = open else { return false }
        open = .none
        report.add(text)
        open = .link(report)
        return true
    }

    /// Emits the failures below `Testing failed:` that no diagnostic has reported.
    mutating func emitFailures(_ rows: [String], _ emit: (LaneEvent.Kind) -> Void) {
        flush(emit)
        for row in rows where !reported.hasReported(row) { emitOnce(BuildDiagnostic(.error, row), emit) }
    }
}
