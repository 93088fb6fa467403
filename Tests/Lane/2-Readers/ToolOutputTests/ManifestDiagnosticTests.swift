import Events
import Testing
import ToolOutput

/// Tests of diagnostics of manifests, which SwiftPM prints with the name of the package.
@Suite struct ManifestDiagnosticTests {
    private static let checkout = "/src/Demo/.build/checkouts/dep"

    private static func diagnostics(_ log: String) -> [BuildDiagnostic] {
        ReadLog(Array("\(log)\nBuild complete! (1.0s)\n".utf8)).kinds.compactMap {
            if case .buildDiagnostic(let diagnostic) = $0 { diagnostic } else { nil }
        }
    }

    @Test(arguments: ["Package.swift", "Package@swift-6.0.swift"])
    func theLocationIsThatInTheManifest(name: String) throws {
        let log = "warning: 'demo': /src/Demo/\(name):4:113: warning: 'old' is deprecated\n3 | let old = 1"
        let diagnostic = try #require(Self.diagnostics(log).first)
        #expect(diagnostic.message == "'old' is deprecated")
        #expect(diagnostic.location == SourceLocation(path: name, line: 4, column: 113))
        #expect(diagnostic.excerpt == ["3 | let old = 1"])
        let error = try #require(Self.diagnostics("error: 'dep': \(Self.checkout)/\(name):1:2: error: bad").first)
        #expect(error.severity == .error && error.message == "bad")
    }

    /// Neither the author of the package nor the next build can remove these warnings.
    @Test(arguments: [
        "warning: 'dep': /Package.swift:4:113: warning: 'old' is deprecated\n3 | let old = 1",
        "warning: 'dep': \(checkout)/Package.swift:4:113: warning: 'old' is deprecated\n3 | let old = 1",
        "warning: 'dep': Invalid Exclude '\(checkout)/Sources/x.txt': File not found.",
        "warning: 'dep': found 1 file(s) which are unhandled; explicitly declare them as resources or exclude from the target\n    \(checkout)/Sources/x.dat",
        "\(checkout)/Sources/Dep/a.swift:3:7: warning: variable was never mutated\n3 | var x",
        "/Users/a/DerivedData/App/SourcePackages/checkouts/dep/Sources/Dep/a.swift:3:7: warning: unused",
    ])
    func warningsAboutDependenciesAreOmitted(log: String) {
        #expect(Self.diagnostics(log).isEmpty)
    }

    @Test(arguments: [
        "warning: 'demo': found 1 file(s) which are unhandled; explicitly declare them as resources or exclude from the target\n    /src/Demo/Sources/x.dat",
        "warning: 'dep': dependency 'dep' is not used by any target",
        "/src/Dep/Package.swift:3:7: warning: unused", "/srv/checkouts/demo/Sources/a.swift:3:7: warning: unused",
        "\(checkout)/Sources/Dep/a.swift:3:7: error: missing",
    ])
    func otherDiagnosticsRemain(log: String) {
        #expect(Self.diagnostics(log).count == 1)
    }
}
