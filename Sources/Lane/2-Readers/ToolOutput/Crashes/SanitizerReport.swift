package import Events

/// A report of an LLVM sanitizer.
package struct SanitizerReport: Sendable, Equatable {
    /// The description, such as `ThreadSanitizer: data race`.
    let fault: String
    /// The locations of the accesses in the package's sources, last access first.
    package let places: [SourceLocation]
    /// All locations in the package's sources in the stack traces, including those of thread creation.
    package let ways: [SourceLocation]

    /// A Boolean value that indicates whether the report is a leak outside the package, such as those of XCTest on
    /// Linux.
    package var isForeignLeak: Bool { places.isEmpty && fault.hasPrefix("LeakSanitizer: ") }

    /// A Boolean value that indicates whether the error ended the process.
    package var isFatal: Bool { fault.hasPrefix("AddressSanitizer: ") }

    /// The text for the user.
    package var text: String {
        ([fault] + places.map { "  at \($0.path):\($0.line)" }).joined(separator: "\n")
    }
}

/// A parser of sanitizer reports in the standard error of a process.
///
/// The format is that of LLVM's compiler-rt: a line with the name of the tool, stack traces after a line of text each,
/// and `SUMMARY:`. UndefinedBehaviorSanitizer prints a single line.
package struct SanitizerOutputParser: Sendable {
    private let paths: SourcePaths
    private var splitter = LineSplitter()
    private var fault: String?
    private var places: [SourceLocation] = []
    private var ways: [SourceLocation] = []
    /// A Boolean value that indicates whether the current stack trace belongs to an access and has no frame in the
    /// package's sources yet.
    private var awaitsPlace = false

    /// - Parameter root: The absolute path of the package.
    package init(root: String) {
        paths = SourcePaths(root: root)
    }

    /// Parses the next bytes, and calls `found` with each complete report. Chunks can end anywhere.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, found: (SanitizerReport) -> Void) {
        var splitter = splitter
        splitter.consume(bytes) { line, _ in take(Bytes(line), found) }
        self.splitter = splitter
    }

    /// Calls `found` with an incomplete report at the end of the output.
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
            // The stack trace of an invalid access may follow directly.
            awaitsPlace = true
        } else if let colon = line.firstIndex(of: ": runtime error: "), let place = place(endingAt: colon, in: line) {
            let words = line.from(colon + 17).string
            found(SanitizerReport(fault: "UndefinedBehaviorSanitizer: \(words)", places: [place], ways: [place]))
        } else if fault != nil {
            takeDetail(line.trimmed, found)
        }
    }

    /// Returns the location that ends at an index. Output without a line break may precede it.
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
            awaitsPlace = Self.isAccess(line)
        }
    }

    /// Returns the location in a frame such as `#1 0x55d0 in $s1S4raceSiyF /src/Sources/S/S.swift:16:40
    /// (Tests.xctest+0x105e2c)`, if it is a source file of the package.
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

    /// Returns the constant part of `==25590==ERROR: AddressSanitizer: heap-buffer-overflow on address …` or `WARNING:
    /// ThreadSanitizer: data race (pid=25073)`.
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

    /// Returns a Boolean value that indicates whether a stack trace belongs to an access or a leak, and not to an
    /// allocation or a thread.
    private static func isAccess(_ words: Bytes) -> Bool {
        !words.hasPrefix("Indirect leak") && words.firstIndex(of: "created by") == nil
            && words.firstIndex(of: "allocated by") == nil && words.firstIndex(of: "is located") == nil
            && !words.hasPrefix("Location is")
    }
}
