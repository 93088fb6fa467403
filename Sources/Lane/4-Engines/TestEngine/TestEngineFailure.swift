package import Events
package import OperatingSystem
package import Text

/// An error that prevents a test run.
package enum TestEngineFailure: Error, Sendable, Equatable {
    case badPattern(String, reason: String)
    /// Several tests are selected, but a debugger runs only one.
    case severalTests(Int)
    /// The debugger is installed, but does not start.
    case brokenDebugger(TestDebugger, reason: String)
    case cannotStart(SpawnError)
    /// The build reported no test product.
    case noTestProduct
    /// No test target has sources in Swift, such as those in C, which SwiftPM ignores on Linux.
    case noSwiftTests
    /// The build is skipped, and there are no built tests.
    case notBuilt
    /// The package contains only plugins.
    case nothingToBuild
    /// A binary does not list its tests.
    case cannotList(binary: String, reason: String, at: SourceLocation? = nil)
    /// A binary has its own entry point, and exits without listing its tests.
    case ownEntryPoint(binary: String, reason: String)
    /// The toolchain lacks a sanitizer for this platform.
    case noSanitizer(String)
    /// A file or directory of the engine could not be created.
    case cannotPrepare(String)
    /// The tests ran, but their coverage could not be computed.
    case noCoverage(String)

    /// The exit status of `lane test`.
    package var status: ExitStatus {
        switch self {
        case .badPattern, .noSanitizer, .severalTests: .usage
        case .brokenDebugger, .cannotStart: .toolMissing
        case .noTestProduct, .noSwiftTests, .nothingToBuild, .ownEntryPoint: .nothingRan
        case .cannotList: .testCrashed
        case .cannotPrepare: .cannotWrite
        case .noCoverage, .notBuilt: .failed
        }
    }

    /// A Boolean value that indicates whether the package has no tests.
    var hasNoTests: Bool { [.noTestProduct, .noSwiftTests, .nothingToBuild].contains(self) }

    /// The message in lowercase.
    package var message: String {
        switch self {
        case .badPattern(let pattern, let reason): "'\(pattern)' is not a regular expression: \(reason)"
        case .severalTests(let count):
            "a debugger runs one test, and \(count) are selected\nhint: add a pattern that matches one, such as its whole name"
        case .brokenDebugger(let debugger, let reason):
            "'\(debugger.rawValue) --version' failed: \(reason)\nhint: use '--debugger \(debugger.other.rawValue)'"
        case .cannotStart(let error): error.description
        case .noTestProduct:
            "the package has no tests\nhint: add a test target to Package.swift, or let the step succeed with "
                + "'test: { allow-empty: true }'"
        case .noSwiftTests:
            "the test targets of the package have no tests in Swift\nhint: add a Swift file with tests, or let the step "
                + "succeed with 'test: { allow-empty: true }'"
        case .notBuilt: "the tests are not built\nhint: run them without '--skip-build'"
        case .nothingToBuild: "the package has no tests: it contains nothing to build"
        case .cannotList(let binary, let reason, _): "'\(binary)' does not list its tests: \(reason)"
        case .ownEntryPoint(let binary, let reason):
            "'\(binary)' has its own entry point and does not list its tests: \(reason)\nhint: without options that "
                + "select tests, they run with 'swift test'"
        case .noSanitizer(let reason): "the toolchain cannot build with this sanitizer: \(reason)"
        case .cannotPrepare(let reason): reason
        case .noCoverage(let reason): "could not measure coverage: \(reason)"
        }
    }
}

extension TestEngineFailure: FileErrorConvertible {
    package init(_ error: FileError) { self = .cannotPrepare(error.description) }
}

extension TestEngineFailure {
    /// The failure as an issue outside any test, for a run that continues.
    var issue: TestIssue {
        var place: SourceLocation?
        if case .cannotList(_, _, let location) = self { place = location }
        return TestIssue(test: nil, text: message, at: place)
    }
}
