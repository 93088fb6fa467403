import LaneEvents

/// A test as its binary lists it, with what is needed to run it alone.
struct ListedTest: Sendable, Equatable {
    var info: TestInfo
    /// Which of the run's binaries holds it.
    let binary: Int
    /// How its binary names it: `Module.Class/method`, or the id of the event stream, which ends in file and place.
    let selector: String
    /// Another test of the same suite has the same name; the place behind it tells them apart.
    var isNamesake = false
    /// Nothing may run beside it: it measures, or was named as such.
    var isExclusive = false
    /// Of the suites around it, outermost first, as far as they have some.
    var suiteDisplayNames: [String] = []

    var id: TestID { info.id }

    /// The class as XCTest prints it: without the types around it.
    var className: Substring {
        let dot = id.suite.utf8.lastIndex(of: UInt8(ascii: "."))
        return id.suite[(dot.map { id.suite.utf8.index(after: $0) } ?? id.suite.startIndex)...]
    }

    /// How XCTest prints it, on Linux and on macOS.
    var printedNames: [String] { ["\(className).\(id.name)", "-[\(id.module).\(id.suite) \(id.name)]"] }

    /// The name under which the parsers tell of it: XCTest's text has only the last part of a nested class, and the event
    /// stream's names do not have the place that tells namesakes apart.
    var parserID: TestID {
        switch id.library {
        case .xctest: TestID(library: .xctest, module: id.module, suite: String(className), name: id.name)
        case .swiftTesting: TestID(library: .swiftTesting, module: id.module, suite: id.suite, name: functionName)
        }
    }

    /// The same where `swift test` relays what XCTest prints, which on Linux does not name the module.
    var relayedID: TestID {
        let id = parserID
        return id.library == .xctest ? TestID(library: .xctest, module: "", suite: id.suite, name: id.name) : id
    }

    /// The function without the place that may follow it behind a space, and may have spaces of its own.
    var functionName: String {
        guard isNamesake, let slash = selector.utf8.lastIndex(of: UInt8(ascii: "/")) else { return id.name }
        // The slash before the place is as long as the space.
        return String(Substring(id.name.utf8.dropLast(selector.utf8[slash...].count)))
    }

    /// Every name by which a person may ask for it.
    var names: [String] {
        var names = [id.description, id.suite.isEmpty ? id.name : "\(id.suite)/\(id.name)"]
        if let displayName = info.displayName { names.append(displayName) }
        if selector != names[0] { names.append(selector) }
        return names + suiteDisplayNames
    }
}
