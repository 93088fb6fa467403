import TestSupport
import Testing

@testable import Packaging
@testable import Release

@Suite struct FileNameTests {
    @Test(arguments: [
        ("Shape", "shape"), ("My Shape", "my-shape"), ("日本", "u65e5-u672c"), ("Größe", "gr--e"), ("日本v2", "v2"),
        ("--x", "x"), (".hidden", "hidden"), ("...", "u2e-u2e-u2e"), ("é", "ue9"), ("swift_x.y-z", "swift_x.y-z"),
    ]) func archivesAreCalled(name: String, file: String) {
        #expect(PackageOrder.fileName(name) == file)
    }

    /// GitHub does not change these names, and names without Latin letters are unique.
    @Test func anyNameGivesAFileName() {
        checkProperty("a file name is plain", Generator<String>.text) { name in
            let file = PackageOrder.fileName(name)
            return name.isEmpty || (!file.isEmpty && ReleaseFile.keptName(file) == file && !file.hasPrefix("-"))
        }
    }
}
