import Events
import Text

/// A test in the list of its binary.
struct ListedTest: Sendable, Equatable {
    var info: TestInfo
    /// The index of the binary in the run.
    let binary: Int
    /// The name in the binary: `Module.Class/method`, or the ID in the event stream, which ends with the location.
    let selector: String
    /// A Boolean value that indicates whether another test of the suite has the same name. The ID then contains the
    /// location.
    var hasDuplicateName = false
    /// A Boolean value that indicates whether the test runs alone, because it measures performance or the settings
    /// require it.
    var isExclusive = false
    /// The index of the first rule that matches the test.
    var rule: Int?
    /// The time limit, the time after which the running test is reported, and the number of retries of the rule.
    var timeout: Duration?
    var slowAfter: Duration?
    var retries: Int?
    /// The reason for the test's quarantine, or `nil` if its failures fail the run.
    var quarantine: String?
    /// The display names of its suites, outermost first.
    var suiteDisplayNames: [String] = []

    var id: TestID { info.id }

    /// The name of the class in XCTest's output, without the enclosing types.
    var className: Substring {
        let dot = id.suite.utf8.lastIndex(of: UInt8(ascii: "."))
        return id.suite[(dot.map { id.suite.utf8.index(after: $0) } ?? id.suite.startIndex)...]
    }

    /// Returns a Boolean value that indicates whether the name of a function on a stack is that of the test or of a
    /// closure in it.
    func isPart(of function: String) -> Bool {
        let suite = SuiteID(id).functionPrefix
        return function.contains(".\(suite.isEmpty ? "" : suite + ".")\(id.name.prefix { $0 != "(" })(")
    }

    /// The names in XCTest's output on Linux and macOS.
    var printedNames: [String] { ["\(className).\(id.name)", "-[\(id.module).\(id.suite) \(id.name)]"] }

    /// The ID in the events of parsers. XCTest's output contains only the last component of a nested class, and names
    /// in the event stream contain no location.
    var parserID: TestID {
        switch id.library {
        case .xctest: TestID(library: .xctest, module: id.module, suite: String(className), name: id.name)
        case .swiftTesting: TestID(library: .swiftTesting, module: id.module, suite: id.suite, name: functionName)
        }
    }

    /// The ID in XCTest's output through `swift test`, which contains no module on Linux.
    var relayedID: TestID {
        let id = parserID
        return id.library == .xctest ? TestID(library: .xctest, module: "", suite: id.suite, name: id.name) : id
    }

    /// The name of the function without its location, which may contain spaces.
    var functionName: String {
        guard hasDuplicateName, let slash = selector.utf8.lastIndex(of: UInt8(ascii: "/")) else { return id.name }
        // The slash before the location has the same length as the space.
        return String(Substring(id.name.utf8.dropLast(selector.utf8[slash...].count)))
    }

    /// The names that patterns are compared with.
    var names: [String] {
        var names = [id.description, id.suite.isEmpty ? id.name : "\(id.suite)/\(id.name)"]
        if let displayName = info.displayName { names.append(displayName) }
        if selector != names[0] { names.append(selector) }
        return names + suiteDisplayNames
    }
}

extension SuiteID {
    /// The suite in the names of its functions on a stack.
    var functionPrefix: String { suite.split(separator: "/").joined(separator: ".") }
}
