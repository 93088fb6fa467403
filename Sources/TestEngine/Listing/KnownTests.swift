import Files

/// A cache of a binary's tests, valid until the file changes. Listing a large binary takes as long as many tests.
///
/// The cache is a `TestListText` in the build directory. If a name contains one of its separators, no cache is written.
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

    /// Returns the tests and the binary with its event format, or `nil` if it must be listed.
    func read() -> (TestBinary, [ListedTest])? {
        guard let bytes = try? readFile(path), let text = TestListText(parsing: bytes, binary: index),
            text.mark == mark,
            let form = text.eventStream
        else { return nil }
        return (TestBinary(path: binary, eventStream: form), text.tests)
    }

    /// Writes the cache. Without it, the next run lists the binary. A binary without an event stream is not cached,
    /// because its listing may have failed.
    func write(_ known: TestBinary, _ tests: [ListedTest]) {
        guard let mark, let form = known.eventStream,
            let bytes = TestListText(mark: mark, eventStream: form, tests: tests).bytes
        else { return }
        try? writeFile(bytes, to: path)
    }

    /// The hash of the binary, or `nil` if it does not exist.
    private var mark: String? {
        var mark = Mark()
        return mark.add(file: binary) ? String(mark.value, radix: 16) : nil
    }
}
