import Events

/// Patterns for lines that report the failure of a test or a run.
///
/// Tests that run test tools also print such lines. These cannot be distinguished from the lines of a run whose start
/// is missing. All of them count as failures, because a run with failures must not pass.
enum FailureLine {
    static func matches(_ text: Bytes) -> Bool {
        switch text[0] {
        case UInt8(ascii: "*"): isEnding(text)
        case UInt8(ascii: "T"): isParallelCase(text)
        case UInt8(ascii: "/"): isXCTestFailure(text)
        case 0xC2...0xF4: isSwiftTesting(text)
        default: false
        }
    }

    /// Returns a Boolean value that indicates whether a line is a result such as `** TEST FAILED **`.
    static func isEnding(_ text: Bytes) -> Bool {
        guard text.hasPrefix("** "), let end = text.lastIndex(of: " **") else { return false }
        return ["FAILED", "INTERRUPTED", "CANCELLED"].contains(where: text.between(3, end).hasSuffix)
    }

    private static func isParallelCase(_ text: Bytes) -> Bool {
        text.hasPrefix("Test case '") && XcodebuildLines.parallelCase(text)?.outcome == .failed
    }

    /// Returns a Boolean value that indicates whether a line is `/X.swift:10: error: -[Module.Class test] :
    /// XCTAssertTrue failed`, which has no module on Linux.
    private static func isXCTestFailure(_ text: Bytes) -> Bool {
        guard let mark = text.firstIndex(of: ": error: "), let end = text.firstIndex(of: " : ", from: mark + 9) else {
            return false
        }
        let name = text.between(mark + 9, end)
        if name.hasPrefix("-[") { return name.hasSuffix("]") }
        return name.firstIndex(of: 0x20) == nil && name.firstIndex(of: UInt8(ascii: ".")) != nil
    }

    private static func isSwiftTesting(_ text: Bytes) -> Bool {
        let symbol = text.symbol(at: 0)
        guard symbol > 0, let sentence = SwiftTestingSentence(text.from(symbol)) else { return false }
        return switch sentence.kind {
        case .testFailed, .issue(.issue), .runEnded(_, _, _, hasFailed: true): true
        default: false
        }
    }
}
