import Events

/// A conversion of XCTest's names to test IDs: `Class.method`, or `-[Module.Class method]` on macOS.
struct XCTestNames: Sendable {
    struct Identity {
        let test: TestID
        /// The number of earlier starts.
        let repetition: Int
        /// A Boolean value that indicates whether the start was reported with the announcement.
        var isAnnounced = false
    }

    /// The modules of classes, for lines without a module.
    var modules: [String: String]
    /// The counts of names, or `nil` if each name occurs once.
    private var seen: SeenNames?
    /// The hashes of the names of tests that have not started, in a run whose tests are known.
    private var expected: Set<UInt64>?
    /// The hashes of all names, in a run whose tests are known.
    private var known: Set<UInt64> = []

    /// The tests named in counter lines, by the hash of `Class.method`. Tests of the same name use the next hashes.
    private var announced: [UInt64: TestID] = [:]
    private var announcedOrder: [UInt64] = []

    private var lastClass: [UInt8] = []
    private var lastSuite = ""
    private var lastModule = ""

    init(modules: [String: String] = [:], countsRepetitions: Bool = false) {
        self.modules = modules
        seen = countsRepetitions ? SeenNames() : nil
    }

    /// Sets the names of the tests in the log. Each test starts once, and ends before the next test starts. Other lines
    /// of the same form are output, for example of tests that test a parser.
    mutating func expect(_ names: [String]) {
        known = Set(names.map { name in Array(name.utf8).withUnsafeBufferPointer { hashOf($0) } })
        expected = known
    }

    /// Returns a Boolean value that indicates whether an expected test with the name has started.
    func hasBegun(_ name: Bytes) -> Bool {
        let hash = hashOf(name.buffer)
        return known.contains(hash) && expected?.contains(hash) == false
    }

    /// A Boolean value that indicates whether the tests of the run are known.
    @inline(__always)
    var areKnown: Bool { expected != nil }

    /// Returns the test for a name in a start line.
    ///
    /// Without a module, a repeated name counts as a test of another module and gets a number. The success of one test
    /// then does not hide the failure of the other.
    @inline(__always)
    mutating func identify(_ name: Bytes) -> Identity? {
        if expected != nil, expected?.remove(hashOf(name.buffer)) == nil { return nil }
        if !announced.isEmpty, let test = self.slot(ofAnnounced: name).flatMap({ announced[$0] }) {
            return Identity(test: test, repetition: 0, isAnnounced: true)
        }
        guard let test = recall(name) else { return nil }
        let earlier = seen?.count(name.buffer) ?? 0
        guard earlier > 0, test.module.isEmpty else { return Identity(test: test, repetition: earlier) }
        let numbered = "\(test.name) (\(earlier + 1))"
        let other = TestID(library: .xctest, module: "", suite: test.suite, name: numbered)
        return Identity(test: other, repetition: 0)
    }

    /// Adds a test that a counter line names. Other lines of the test may follow.
    mutating func announce(module: Bytes, className: Bytes, method: Bytes) -> TestID {
        let test = TestID(
            library: .xctest, module: module.string, suite: className.string, name: method.string)
        modules[test.suite] = test.module
        let name = Array("\(test.suite).\(test.name)".utf8)
        _ = name.withUnsafeBufferPointer { seen?.count($0) }
        var slot = name.withUnsafeBufferPointer { hashOf($0) }
        while let other = announced.updateValue(test, forKey: slot) {
            announced[slot] = other
            slot &+= 1
        }
        announcedOrder.append(slot)
        return test
    }

    /// Returns the slot of an announced test. The names on macOS contain the module.
    private func slot(ofAnnounced name: Bytes) -> UInt64? {
        guard name.hasPrefix("-["), let (className, method) = Self.split(name),
            let dot = className.firstIndex(of: UInt8(ascii: "."))
        else { return hashOf(name.buffer) }
        let known = Array(className.from(dot + 1).buffer) + [UInt8(ascii: ".")] + Array(method.buffer)
        let module = className.upTo(dot).string
        var slot = known.withUnsafeBufferPointer { hashOf($0) }
        while let test = announced[slot], test.module != module { slot &+= 1 }
        return slot
    }

    /// Removes an announced test that has ended.
    mutating func settle(_ name: [UInt8]) {
        guard !announced.isEmpty, var slot = name.withUnsafeBufferPointer({ self.slot(ofAnnounced: Bytes($0)) }) else {
            return
        }
        guard announced.removeValue(forKey: slot) != nil else { return }
        while let next = announced.removeValue(forKey: slot &+ 1) {
            announced[slot] = next
            slot &+= 1
        }
    }

    /// Returns and clears the announced tests without further lines, in order.
    mutating func takeAnnounced() -> [TestID] {
        defer {
            announced = [:]
            announcedOrder = []
        }
        return announcedOrder.compactMap { announced.removeValue(forKey: $0) }
    }

    /// Returns the ID for a name without counting it.
    @inline(__always)
    mutating func recall(_ name: Bytes) -> TestID? {
        guard let (className, method) = Self.split(name), !className.isEmpty, !method.isEmpty else { return nil }
        if !className.equals(lastClass) { remember(className) }
        return TestID(library: .xctest, module: lastModule, suite: lastSuite, name: method.string)
    }

    /// Counts an occurrence of a name, and returns the number of earlier occurrences.
    mutating func count(_ name: Bytes) -> Int { seen?.count(name.buffer) ?? 0 }

    func hasSeen(_ name: [UInt8]) -> Bool { name.withUnsafeBufferPointer { seen?.contains($0) ?? false } }

    @inline(__always)
    private static func split(_ name: Bytes) -> (className: Bytes, method: Bytes)? {
        if name.hasPrefix("-[") {
            guard name.hasSuffix("]"), let space = name.lastIndex(of: 0x20) else { return nil }
            return (name.between(2, space), name.between(space + 1, name.count - 1))
        }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.firstIndex(of: 0x20) == nil else { return nil }
        return (name.upTo(dot), name.from(dot + 1))
    }

    private mutating func remember(_ className: Bytes) {
        lastClass = Array(className.buffer)
        if let dot = className.firstIndex(of: UInt8(ascii: ".")) {
            lastModule = className.upTo(dot).string
            lastSuite = className.from(dot + 1).string
            modules[lastSuite] = lastModule
        } else {
            lastSuite = className.string
            lastModule = modules[lastSuite] ?? ""
        }
    }
}
