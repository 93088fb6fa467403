import LaneEvents

/// The line grammar of `swift build`, both back ends, and of the compilers and linkers under it.
struct BuildLines: Sendable {
    /// A diagnostic whose lines are still coming.
    private enum Open: Sendable {
        case none
        case diagnostic(DiagnosticHead)
        /// A linker's report, told as one, until the line that closes it.
        case link(LinkReport)
    }

    private static let longestExcerpt = 2000

    let paths: SourcePaths
    private var open = Open.none
    private var lines: [String] = []
    /// The last row of the excerpt is one of those that a tool draws again in its place.
    private var redrawsRow = false
    private var told = ToldDiagnostics()
    /// `error: fatalError` and the like, which say nothing if an error was told before.
    private var closing: String?
    /// A build folder that was moved is explained once.
    private var hasExplainedMove = false
    private(set) var errors = 0
    private(set) var warnings = 0
    private(set) var hasCompleted = false

    init(paths: SourcePaths) {
        self.paths = paths
    }

    /// A diagnostic is open: lines that nobody knows are its excerpt.
    var isOpen: Bool {
        if case .none = open { false } else { true }
    }

    /// Whether the line belongs to a build.
    mutating func take(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        let text = line.text
        if text.isEmpty { return takeEmpty(line, emit) }
        if case .link = open, takeLinkLine(text, emit) { return true }
        if takeProgress(text, emit) || takePhase(line, emit) || takeHead(text, emit) { return true }
        return takeExcerpt(line) || isVerbose(text)
    }

    /// Hands on what is gathered, the diagnostics in macro expansions too.
    mutating func flush(_ emit: (LaneEvent.Kind) -> Void) {
        close(emit)
        for diagnostic in told.takeHeld() { tell(diagnostic, emit) }
    }

    mutating func finish(_ emit: (LaneEvent.Kind) -> Void) {
        flush(emit)
        guard let closing, errors == 0 else { return }
        self.closing = nil
        tell(BuildDiagnostic(.error, closing), emit)
    }

    private mutating func tell(_ diagnostic: BuildDiagnostic, _ emit: (LaneEvent.Kind) -> Void) {
        switch diagnostic.severity {
        case .error: errors += 1
        case .warning: warnings += 1
        case .note: break
        }
        emit(.buildDiagnostic(diagnostic))
        explainMove(diagnostic, emit)
    }

    /// What compilers say when the old place is gone, and when it is still there.
    private static let signsOfMove = ["was compiled with module cache path", "missing required module 'SwiftShims'"]

    /// What the compiler says of it helps nobody.
    private mutating func explainMove(_ diagnostic: BuildDiagnostic, _ emit: (LaneEvent.Kind) -> Void) {
        guard !hasExplainedMove, diagnostic.severity == .error,
            Self.signsOfMove.contains(where: diagnostic.message.contains)
        else { return }
        hasExplainedMove = true
        let text = "the build folder was made in another place, and cannot be moved\nhint: rm -rf .build"
        emit(.buildDiagnostic(BuildDiagnostic(.note, text)))
    }

    /// An empty line ends an excerpt; what a tool wipes off a terminal's row does not.
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
        guard isOpen, lines.count < Self.longestExcerpt else { return false }
        if redrawsRow { lines.removeLast() }
        lines.append(line.text.string)
        redrawsRow = line.ending == .carriageReturn
        return true
    }
}

// MARK: Progress

extension BuildLines {
    /// `[5/17] Compiling Demo Demo.swift`
    private mutating func takeProgress(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        guard text[0] == UInt8(ascii: "["), let finished = text.number(at: 1), text[finished.end] == UInt8(ascii: "/"),
            let total = text.number(at: finished.end + 1), text[total.end] == UInt8(ascii: "]")
        else { return false }
        flush(emit)
        let words = text.from(total.end + 1).trimmed
        if !words.isEmpty {
            emit(.buildProgress(BuildProgress(finished: finished.value, total: total.value, text: words.string)))
        }
        return true
    }

    /// What is done before and between the numbered steps.
    private static let phases: [StaticString] = [
        "Fetching ", "Fetched ", "Updating ", "Updated ", "Computing ", "Computed ", "Creating working copy ",
        "Working copy of ", "Cloning ", "Resolving ", "Downloading ", "Downloaded ", "Building for ",
        "Building targets", "Planning ", "Pre-planning ", "Starting", "Loading ", "Checking out ", "Skipping cache ",
        "Initializing", "Removing ",
    ]

    /// The progress lines of `git fetch`, each of which git redraws many times.
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
        if text.hasPrefix("Build complete!") || text.hasPrefix("Build of ") || text.hasPrefix("Compiling ") {
            hasCompleted = !text.hasPrefix("Compiling ")
            flush(emit)
            return true
        }
        let isOfGit = Self.gitPhases.contains(where: text.hasPrefix)
        guard isOfGit || Self.phases.contains(where: text.hasPrefix) else { return false }
        flush(emit)
        hasCompleted = false
        if isOfGit, line.ending == .carriageReturn { return true }
        emit(.buildProgress(BuildProgress(finished: 0, total: 1, text: text.string)))
        return true
    }

    /// The commands that a verbose build shows, and what its tools say of themselves.
    private func isVerbose(_ text: Bytes) -> Bool {
        let sayings: [StaticString] = [
            "Write auxiliary file ", "Swift version ", "Apple Swift version ", "Target: ", "clang version ",
            "Apple clang version ", "Thread model: ", "InstalledDir: ", "Found candidate GCC ", "Selected GCC ",
            "Candidate multilib: ", "Selected multilib: ", "swift-driver version: ",
        ]
        if sayings.contains(where: text.hasPrefix) { return true }
        guard text[0] == UInt8(ascii: "/"), let end = text.firstIndex(of: 0x20) else { return false }
        let tools: [StaticString] = [
            "/swiftc", "/swift-frontend", "/clang", "/clang++", "/swift-autolink-extract", "/ar",
        ]
        return tools.contains(where: text.upTo(end).hasSuffix)
    }

    /// `[#DeprecatedDeclaration]: <https://…>`
    private mutating func takeFootnote(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        guard text.hasPrefix("[#"), text.firstIndex(of: "]: <") != nil else { return false }
        close(emit)
        return true
    }
}

// MARK: Diagnostics

extension BuildLines {
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

    /// Rows that draw the source are never heads, though they repeat the message.
    private func isExcerptRow(_ text: Bytes) -> Bool {
        guard isOpen else { return false }
        let start = text.trimmed
        if start[0] == UInt8(ascii: "|") || start[0] == UInt8(ascii: "`") { return true }
        guard let number = start.number(at: 0) else { return false }
        return start.from(number.end).trimmed[0] == UInt8(ascii: "|")
    }

    /// The last words of a failed command, which repeat in worse words what was told.
    private mutating func takeClosing(_ head: DiagnosticHead) -> Bool {
        let words = ["fatalError", "ExitCode(rawValue: 1)", "emit-module command failed", "Compiling failed"]
        guard head.severity == .error, head.location == nil, words.contains(where: head.message.hasPrefix) else {
            return false
        }
        closing = head.message
        return true
    }

    /// The gold linker warns of each of some hundred symbols that AddressSanitizer's own library keeps to itself.
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
        case .link(let report): tellOnce(report.diagnostic(paths), emit)
        case .diagnostic(let head):
            let diagnostic = head.diagnostic(excerpt: lines, paths)
            if head.isInMacro {
                told.hold(diagnostic)
            } else if told.isNew(diagnostic) {
                tell(diagnostic, emit)
            }
        }
    }

    private mutating func tellOnce(_ diagnostic: BuildDiagnostic, _ emit: (LaneEvent.Kind) -> Void) {
        if told.isNew(diagnostic) { tell(diagnostic, emit) }
    }
}

// MARK: Linkers

extension BuildLines {
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

    /// Tells the rows below `Testing failed:` that no diagnostic told before.
    mutating func tellFailures(_ rows: [String], _ emit: (LaneEvent.Kind) -> Void) {
        flush(emit)
        for row in rows where !told.hasTold(row) { tellOnce(BuildDiagnostic(.error, row), emit) }
    }
}
