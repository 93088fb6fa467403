import OperatingSystem

/// The built and listed tests of a package, which run without its sources and without a build.
package struct BuiltTests: Sendable {
    let binaries: [TestBinary]
    let tests: [ListedTest]
    /// The directory of the package at build time. Paths in the tests' output are converted to paths relative to it.
    package let sourceRoot: String
    /// The recorded durations of the tests, or `nil` if there are none.
    let durations: TestHistory?

    init(binaries: [TestBinary], tests: [ListedTest], sourceRoot: String, durations: TestHistory?) {
        self.binaries = binaries
        self.tests = tests
        self.sourceRoot = sourceRoot
        self.durations = durations
    }

    /// Creates the tests of binaries from their lists. Returns `nil` if a list is damaged.
    ///
    /// - Parameters:
    ///   - binaries: The paths of the binaries with their lists, as in `lists`.
    ///   - sourceRoot: The directory of the package at build time.
    ///   - durations: The recorded durations of the tests.
    package init?(
        binaries: [(path: String, list: [UInt8])], sourceRoot: String, durations: TestHistory?
    ) {
        var tests: [ListedTest] = []
        var known: [TestBinary] = []
        for (index, binary) in binaries.enumerated() {
            guard let text = TestListText(parsing: binary.list, binary: index) else { return nil }
            known.append(TestBinary(path: binary.path, eventStream: text.eventStream))
            tests += text.tests
        }
        self.init(binaries: known, tests: tests, sourceRoot: sourceRoot, durations: durations)
    }

    /// The number of tests.
    package var testCount: Int { tests.count }

    /// The absolute paths of the binaries.
    package var binaryPaths: [String] { binaries.map(\.path) }

    /// The directory that contains the binaries, their libraries and their resources.
    var productsDirectory: String { binaries.first.map { parentDirectory($0.path) } ?? sourceRoot }

    /// The lists of the tests in the order of the binaries, or `nil` if a name contains a control character that
    /// separates names in a list.
    package var lists: [[UInt8]]? {
        let lists = binaries.enumerated().compactMap { index, binary in
            TestListText(
                mark: "", eventStream: binary.eventStream, tests: tests.filter { $0.binary == index }
            ).bytes
        }
        return lists.count == binaries.count ? lists : nil
    }
}
