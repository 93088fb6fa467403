import Events
import OperatingSystem

/// The text form of the list of a binary's tests: a heading, the mark of the binary, the format of its events, the
/// number of tests, and the tests. Fields and records end with the ASCII separators.
struct TestListText {
    private static let heading = "lane test list 2"
    private static let fieldEnd = UInt8(0x1F)
    private static let recordEnd = UInt8(0x1E)

    /// A text that identifies the binary.
    let mark: String
    /// The format of the binary's events, or `nil` if it contains no Swift Testing.
    let eventStream: EventStreamForm?
    let tests: [ListedTest]

    init(mark: String, eventStream: EventStreamForm?, tests: [ListedTest]) {
        self.mark = mark
        self.eventStream = eventStream
        self.tests = tests
    }

    /// Parses a list. Returns `nil` if it is not complete.
    ///
    /// - Parameter binary: The index of the binary in the run.
    init?(parsing bytes: [UInt8], binary: Int) {
        guard bytes.last == Self.recordEnd else { return nil }
        var records = bytes.split(separator: Self.recordEnd).makeIterator()
        guard let first = records.next().map(Self.fields), first.count == 4, first[0] == Self.heading,
            let count = Int(first[3])
        else { return nil }
        var tests: [ListedTest] = []
        tests.reserveCapacity(min(count, bytes.count))
        while let record = records.next() {
            guard let test = Self.test(Self.fields(of: record), binary: binary) else { return nil }
            tests.append(test)
        }
        guard tests.count == count else { return nil }
        self.init(mark: first[1], eventStream: EventStreamForm(rawValue: first[2]), tests: tests)
    }

    /// The text, or `nil` if a name contains one of the separators.
    var bytes: [UInt8]? {
        var bytes: [UInt8] = []
        let first = [Self.heading, mark, eventStream?.rawValue ?? "", "\(tests.count)"]
        for record in [first] + tests.map(Self.fields) {
            for field in record {
                let field = field.utf8
                if field.contains(where: { $0 == Self.fieldEnd || $0 == Self.recordEnd }) { return nil }
                bytes += field
                bytes.append(Self.fieldEnd)
            }
            bytes.append(Self.recordEnd)
        }
        return bytes
    }

    private static func fields(of record: ArraySlice<UInt8>) -> [String] {
        record.split(separator: Self.fieldEnd, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func fields(of test: ListedTest) -> [String] {
        let place = test.info.location
        var fields = [test.id.library.rawValue, test.id.module, test.id.suite, test.id.name, test.selector]
        fields.append(flags(of: test))
        fields += [place?.path ?? "", place.map { "\($0.line)" } ?? "", place?.column.map { "\($0)" } ?? ""]
        if let name = test.info.displayName { fields.append(name) }
        return fields + test.suiteDisplayNames
    }

    private static func flags(of test: ListedTest) -> String {
        var flags = ""
        if test.hasDuplicateName { flags += "n" }
        if test.info.isParameterized { flags += "p" }
        if test.info.displayName != nil { flags += "d" }
        if test.isExclusive { flags += "x" }
        return flags
    }

    private static func test(_ fields: [String], binary: Int) -> ListedTest? {
        guard fields.count >= 9, let library = TestLibrary(rawValue: fields[0]) else { return nil }
        let has = { (flag: Unicode.Scalar) in fields[5].utf8.contains(UInt8(ascii: flag)) }
        var displayNames = fields[9...]
        let displayName = has("d") ? displayNames.popFirst() : nil
        let place = Int(fields[7]).map { SourceLocation(path: fields[6], line: $0, column: Int(fields[8])) }
        let info = TestInfo(
            id: TestID(library: library, module: fields[1], suite: fields[2], name: fields[3]),
            displayName: displayName, location: place, isParameterized: has("p"))
        return ListedTest(
            info: info, binary: binary, selector: fields[4], hasDuplicateName: has("n"), isExclusive: has("x"),
            suiteDisplayNames: Array(displayNames))
    }
}

/// A cache of a binary's tests, which is valid until the file changes. Listing a large binary takes as long as many
/// tests.
///
/// The cache is a `TestListText` in the build directory. No cache is written if a name contains a separator of this
/// format.
struct KnownTests {
    private let binary: String
    /// The index of the binary in the run.
    private let index: Int
    private let path: String

    init(of binary: String, at index: Int, in package: SwiftPackage) {
        self.binary = binary
        self.index = index
        path = "\(package.scratchDirectory)/lane-tests-\(package.options.build.configuration)-\(index).list"
    }

    /// Returns the tests and the binary with its event format, or `nil` if the binary must be listed.
    func read() -> (TestBinary, [ListedTest])? {
        guard let bytes = try? readFile(path), let text = TestListText(parsing: bytes, binary: index),
            text.mark == mark,
            let form = text.eventStream
        else { return nil }
        return (TestBinary(path: binary, eventStream: form), text.tests)
    }

    /// Writes the cache, and ignores errors. A binary without an event stream is not cached, because its listing may
    /// have failed.
    func write(_ known: TestBinary, _ tests: [ListedTest]) {
        guard let mark, let form = known.eventStream,
            let bytes = TestListText(mark: mark, eventStream: form, tests: tests).bytes
        else { return }
        try? writeFile(bytes, to: path)
    }

    /// The hash of the binary, or `nil` if it does not exist.
    private var mark: String? {
        var mark = StateHash()
        return mark.add(file: binary) ? "\(String(mark.value, radix: 16)) with locations" : nil
    }
}
