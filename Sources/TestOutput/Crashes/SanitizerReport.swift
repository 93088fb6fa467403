package import LaneEvents

/// What a sanitizer found while tests ran.
package struct SanitizerReport: Sendable, Equatable {
    /// `ThreadSanitizer: data race`
    package let fault: String
    /// In the package's own sources: a place for each of the accesses that make the fault, the last one first.
    package let places: [SourceLocation]
    /// All places in the package's own sources on the ways there, those of the threads' beginnings included.
    package let ways: [SourceLocation]

    /// Memory that the package had no part in losing: XCTest itself leaks on Linux.
    package var isForeignLeak: Bool { places.isEmpty && fault.hasPrefix("LeakSanitizer: ") }

    /// A bad access ends its process.
    package var isFatal: Bool { fault.hasPrefix("AddressSanitizer: ") }

    /// What a person is to read of it.
    package var text: String {
        ([fault] + places.map { "  at \($0.path):\($0.line)" }).joined(separator: "\n")
    }
}

/// Finds the reports of sanitizers in what a process prints on standard error.
///
/// The form is that of LLVM's compiler-rt: a head with the tool's name, stacks with a line of words before each, and
/// `SUMMARY:`; the sanitizer of undefined behaviour writes a single line.
package struct SanitizerOutputParser: Sendable {
    private let paths: SourcePaths
    private var splitter = LineSplitter()
    private var fault: String?
    private var places: [SourceLocation] = []
    private var ways: [SourceLocation] = []
    /// The stack at hand tells of an access, and none of its frames was in the package's own sources yet.
    private var awaitsPlace = false

    /// - Parameter root: The package's folder, absolute.
    package init(root: String) {
        paths = SourcePaths(root: root)
    }

    /// Takes the next bytes, cut anywhere, and hands on each report when it is complete.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, found: (SanitizerReport) -> Void) {
        var splitter = splitter
        splitter.consume(bytes) { line, _ in take(Bytes(line), found) }
        self.splitter = splitter
    }

    /// Hands on a report that was cut off by the end of its process.
    package mutating func finish(found: (SanitizerReport) -> Void) {
        var splitter = splitter
        splitter.finish { line, _ in take(Bytes(line), found) }
        self.splitter = splitter
        close(found)
    }

    private mutating func take(_ line: Bytes, _ found: (SanitizerReport) -> Void) {
        if let head = Self.fault(line) {
            close(found)
            fault = head
            // The stack of a bad access may follow without a word before it.
            awaitsPlace = true
        } else if let colon = line.firstIndex(of: ": runtime error: "), let place = place(endingAt: colon, in: line) {
            let words = line.from(colon + 17).string
            found(SanitizerReport(fault: "UndefinedBehaviorSanitizer: \(words)", places: [place], ways: [place]))
        } else if fault != nil {
            takeDetail(line.trimmed, found)
        }
    }

    /// A print without newline may stand before it.
    private func place(endingAt end: Int, in line: Bytes) -> SourceLocation? {
        paths.location(line.between(paths.start(ofPathIn: line, endingAt: end), end))
    }

    private mutating func takeDetail(_ line: Bytes, _ found: (SanitizerReport) -> Void) {
        if line.hasPrefix("SUMMARY: ") {
            close(found)
        } else if line[0] == UInt8(ascii: "#"), line.number(at: 1) != nil {
            guard let place = ownPlace(line) else { return }
            if !ways.contains(place) { ways.append(place) }
            if awaitsPlace, !places.contains(place) { places.append(place) }
            awaitsPlace = false
        } else if line.hasSuffix(":") {
            awaitsPlace = Self.tellsOfAccess(line)
        }
    }

    /// `#1 0x55d0 in $s1S4raceSiyF /src/Sources/S/S.swift:16:40 (Tests.xctest+0x105e2c)`: a file that is no product of the
    /// build.
    private func ownPlace(_ frame: Bytes) -> SourceLocation? {
        guard !paths.root.isEmpty, let start = frame.firstIndex(of: paths.root) else { return nil }
        let rest = frame.from(start)
        let place = paths.location(rest.upTo(rest.firstIndex(of: " (") ?? rest.count))
        return place?.path.hasPrefix(".build/") == true ? nil : place
    }

    private mutating func close(_ found: (SanitizerReport) -> Void) {
        if let fault { found(SanitizerReport(fault: fault, places: places, ways: ways)) }
        (fault, places, ways, awaitsPlace) = (nil, [], [], false)
    }

    /// `==25590==ERROR: AddressSanitizer: heap-buffer-overflow on address …` and
    /// `WARNING: ThreadSanitizer: data race (pid=25073)`, without what is different each time.
    private static func fault(_ line: Bytes) -> String? {
        for tool in ["AddressSanitizer: ", "LeakSanitizer: ", "ThreadSanitizer: "] as [StaticString] {
            guard let start = line.firstIndex(of: tool), line.hasPrefix("==") || line.hasPrefix("WARNING: "),
                line.matches("ERROR: ", at: start - 7) || line.matches("WARNING: ", at: start - 9)
            else { continue }
            let words = line.from(start)
            let end = [words.firstIndex(of: " on "), words.firstIndex(of: " (pid=")].compactMap { $0 }.min()
            return words.upTo(end ?? words.count).string
        }
        return nil
    }

    /// Whether the stack below these words leads to an access, or to memory lost, and not to where memory or a thread comes
    /// from.
    private static func tellsOfAccess(_ words: Bytes) -> Bool {
        !words.hasPrefix("Indirect leak") && words.firstIndex(of: "created by") == nil
            && words.firstIndex(of: "allocated by") == nil && words.firstIndex(of: "is located") == nil
            && !words.hasPrefix("Location is")
    }
}
