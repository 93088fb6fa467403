import Files
import LaneEvents

/// A cache of a binary's tests, valid until the file changes. Listing a large binary takes as long as many tests.
///
/// The cache is a text file in the build directory: a heading, the hash of the binary, the format of its events, the
/// number of tests, and the tests. Fields and records end with ASCII's separators. If a name contains one of them, no
/// cache is written.
struct KnownTests {
    private static let heading = "lane test list 2"
    private static let fieldEnd = UInt8(0x1F)
    private static let recordEnd = UInt8(0x1E)

    private let binary: String
    /// The index of the binary in the run.
    private let index: Int
    private let path: String

    init(of binary: String, at index: Int, in package: SwiftPackage) {
        self.binary = binary
        self.index = index
        path = "\(package.scratchDirectory)/lane-tests-\(package.options.build.configuration)-\(index).list"
    }

    /// Returns the tests and the binary with its event format, or `nil` if it must be listed.
    func read() -> (TestBinary, [ListedTest])? {
        guard let bytes = try? readFile(path), bytes.last == Self.recordEnd else { return nil }
        var records = bytes.split(separator: Self.recordEnd).makeIterator()
        guard let first = records.next().map(fields), first.count == 4, first[0] == Self.heading, first[1] == mark,
            let form = EventStreamForm(rawValue: first[2]), let count = Int(first[3])
        else { return nil }
        var tests: [ListedTest] = []
        tests.reserveCapacity(min(count, bytes.count))
        while let record = records.next() {
            guard let test = test(fields(of: record)) else { return nil }
            tests.append(test)
        }
        return tests.count == count ? (TestBinary(path: binary, eventStream: form), tests) : nil
    }

    /// Writes the cache. Without it, the next run lists the binary. A binary without an event stream is not cached,
    /// because its listing may have failed.
    func write(_ known: TestBinary, _ tests: [ListedTest]) {
        guard let mark, let form = known.eventStream else { return }
        var bytes: [UInt8] = []
        for record in [[Self.heading, mark, form.rawValue, "\(tests.count)"]] + tests.map(fields) {
            for field in record {
                let field = field.utf8
                if field.contains(where: { $0 == Self.fieldEnd || $0 == Self.recordEnd }) { return }
                bytes += field
                bytes.append(Self.fieldEnd)
            }
            bytes.append(Self.recordEnd)
        }
        try? writeFile(bytes, to: path)
    }

    /// The hash of the binary, or `nil` if it does not exist.
    private var mark: String? {
        var mark = Mark()
        return mark.add(file: binary) ? String(mark.value, radix: 16) : nil
    }

    private func fields(of record: ArraySlice<UInt8>) -> [String] {
        record.split(separator: Self.fieldEnd, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private func fields(of test: ListedTest) -> [String] {
        let place = test.info.location
        var fields = [test.id.library.rawValue, test.id.module, test.id.suite, test.id.name, test.selector]
        fields.append(flags(of: test))
        fields += [place?.path ?? "", place.map { "\($0.line)" } ?? "", place?.column.map { "\($0)" } ?? ""]
        if let name = test.info.displayName { fields.append(name) }
        return fields + test.suiteDisplayNames
    }

    private func flags(of test: ListedTest) -> String {
        var flags = ""
        if test.hasDuplicateName { flags += "n" }
        if test.info.isParameterized { flags += "p" }
        if test.info.displayName != nil { flags += "d" }
        return flags
    }

    private func test(_ fields: [String]) -> ListedTest? {
        guard fields.count >= 9, let library = TestLibrary(rawValue: fields[0]) else { return nil }
        let has = { (flag: Unicode.Scalar) in fields[5].utf8.contains(UInt8(ascii: flag)) }
        var displayNames = fields[9...]
        let displayName = has("d") ? displayNames.popFirst() : nil
        let place = Int(fields[7]).map { SourceLocation(path: fields[6], line: $0, column: Int(fields[8])) }
        let info = TestInfo(
            id: TestID(library: library, module: fields[1], suite: fields[2], name: fields[3]),
            displayName: displayName, location: place, isParameterized: has("p"))
        return ListedTest(
            info: info, binary: index, selector: fields[4], hasDuplicateName: has("n"),
            suiteDisplayNames: Array(displayNames))
    }
}
