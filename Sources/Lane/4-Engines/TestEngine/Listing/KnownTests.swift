import OperatingSystem

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
