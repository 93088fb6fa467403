package import Diagnostics
package import LaneEvents
package import Processes

import Files

/// Why no test run came about at all.
package enum TestEngineFailure: Error, Sendable, Equatable {
    case badPattern(String, reason: String)
    case cannotStart(SpawnError)
    /// The build said nothing of where the tests are.
    case noTestProduct(searched: String)
    /// The package has nothing but plugins.
    case nothingToBuild
    /// A binary that does not tell its tests.
    case cannotList(binary: String, reason: String, at: SourceLocation? = nil)
    /// A binary that ends by itself when it is asked for its tests, because its entry point is not the libraries'.
    case ownEntryPoint(binary: String, reason: String)
    /// The toolchain has no such sanitizer for this platform.
    case noSanitizer(String)
    /// A file or folder of the engine's own could not be made.
    case cannotPrepare(String)
    /// The tests ran, but what they reached could not be told.
    case noCoverage(String)

    /// What `lane test` ends with.
    package var status: ExitStatus {
        switch self {
        case .badPattern, .noSanitizer: .usage
        case .cannotStart: .toolMissing
        case .noTestProduct, .nothingToBuild: .nothingRan
        case .cannotList, .ownEntryPoint: .testCrashed
        case .cannotPrepare: .cannotWrite
        case .noCoverage: .failed
        }
    }

    /// For a person, lowercase.
    package var message: String {
        switch self {
        case .badPattern(let pattern, let reason): "'\(pattern)' is not a regular expression: \(reason)"
        case .cannotStart(let error): error.description
        case .noTestProduct(let place): "the package has no tests: none were built in '\(place)'"
        case .nothingToBuild: "the package has no tests: there is nothing to build in it"
        case .cannotList(let binary, let reason, _): "'\(binary)' does not list its tests: \(reason)"
        case .ownEntryPoint(let binary, let reason):
            "'\(binary)' has an entry point of its own and does not list its tests: \(reason)\nhint: without options that "
                + "choose among the tests they run through 'swift test'"
        case .noSanitizer(let reason): "the toolchain cannot build with this sanitizer: \(reason)"
        case .cannotPrepare(let reason): reason
        case .noCoverage(let reason): "could not measure coverage: \(reason)"
        }
    }
}

/// Does the engine's own file work, and turns its error into a failure of the engine's.
func onFiles<Result>(_ body: () throws(FileError) -> Result) throws(TestEngineFailure) -> Result {
    do throws(FileError) { return try body() } catch { throw .cannotPrepare(error.description) }
}

extension TestEngineFailure {
    /// The same for a run that goes on: a failure that belongs to no test.
    var issue: TestIssue {
        var place: SourceLocation?
        if case .cannotList(_, _, let location) = self { place = location }
        return TestIssue(test: nil, text: message, at: place)
    }
}
