import Files
import LaneEvents

/// What a test binary told of its tests, kept for as long as it is the same file: asking a large one takes as long as
/// running many of its tests.
///
/// A text file beside what was built: a heading, the binary's mark, the form of its events and the number of tests, then
/// the tests. Fields and records end with the characters that ASCII has for that; a test with one of them in its name
/// keeps the file from being written.
struct KnownTests {
    private static let heading = "lane test list 2"
    private static let fieldEnd = UInt8(0x1F)
    private static let recordEnd = UInt8(0x1E)

    private let binary: String
    /// Which of the run's binaries it is.
    private let index: Int
    private let path: String

    init(of binary: String, at index: Int, in package: SwiftPackage) {
        self.binary = binary
        self.index = index
        path = "\(package.scratchDirectory)/lane-tests-\(package.options.build.configuration)-\(index).list"
    }

    /// The tests, and in which form the binary streams events; `nil` where it must be asked.
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

    /// Without the file the next run asks, which is never wrong. One without an event stream may have had a bad moment,
    /// and is asked again.
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

    /// `nil` for a binary that is not there.
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
        if test.isNamesake { flags += "n" }
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
            info: info, binary: index, selector: fields[4], isNamesake: has("n"),
            suiteDisplayNames: Array(displayNames))
    }
}
