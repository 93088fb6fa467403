import CLibrary
import OperatingSystem
import TestSupport
import Testing

@Suite struct FilesTests {
    @Test func aWalkFollowsLinksAndEnds() throws {
        let directory = try TemporaryDirectory()
        for path in ["root/b/2.swift", "root/a.swift", "root/b/1.swift", "root/b/1.txt", "other/3.swift"] {
            try directory.write("", to: path)
        }
        try #require(symlink("../../other", "\(directory.path)/root/b/link") == 0)
        try #require(symlink("..", "\(directory.path)/root/b/loop") == 0)
        let found = files(below: "\(directory.path)/root") { $0.hasSuffix(".swift") }
        #expect(found == ["a.swift", "b/1.swift", "b/2.swift", "b/link/3.swift"])
        #expect(files(below: "\(directory.path)/missing") { _ in true } == [])
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var root: String { directory.path }

    @Test func writesAtomicallyAndKeepsTheMode() throws {
        let path = try directory.write("old", to: "a.sh", mode: 0o750)
        try writeFile("new", to: path)
        #expect(try readText(path) == "new")
        #expect(try listDirectory(root) == ["a.sh"])
    }

    @Test func pathsAreSplitByTheirBytes() {
        // Swift combines a slash and a combining mark into one `Character`.
        #expect(absolutePath("b/../\u{301}c", from: "/a") == "/a/\u{301}c")
        #expect(absolutePath("/\u{301}c", from: "/a") == "/\u{301}c")
        #expect(relativePath("/a/\u{301}b", to: "/a") == "\u{301}b")
        #expect(parentDirectory("/a/\u{301}b") == "/a")
        #expect(lastPathComponent("/a/\u{301}b") == "\u{301}b")
    }

    @Test func aFailedWriteLeavesTheOldFile() throws {
        let path = try directory.write("old", to: "sub/a.txt")
        #expect(throws: FileError("write", "\(root)/gone/a.txt", code: 2)) {
            try writeFile("new", to: "\(root)/gone/a.txt")
        }
        #expect(try readText(path) == "old")
    }

    @Test func aLogCanBeReadWhileItIsWritten() throws {
        let path = try directory.write("an older log", to: "events.jsonl")
        let log = try LogFile(path)
        try log.append(Array("one\n".utf8))
        #expect(try readText(path) == "one\n")
        try log.append(Array("two\n".utf8))
        #expect(try readText(path) == "one\ntwo\n")
        #expect(throws: FileError("write", "\(root)/gone/a", code: 2)) { try LogFile("\(root)/gone/a") }
    }

    @Test func readsLargeFilesInChunks() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try writeFile(bytes, to: "\(root)/large")
        var chunks = 0
        try readFile("\(root)/large") { _ in chunks += 1 }
        #expect(try readFile("\(root)/large") == bytes)
        #expect(chunks > 1)
    }

    /// The file is sparse and exceeds the number of bytes that are reserved in advance.
    @Test func readsFilesLongerThanTheReservation() throws {
        let path = "\(root)/long"
        try writeFile([1], to: path)
        let size = 65 << 20
        try #require(truncate(path, off_t(size)) == 0)
        let bytes = try readFile(path)
        #expect(bytes.count == size)
        #expect(bytes.first == 1)
    }

    @Test(arguments: [0, 1, 4096, 70_000])
    func readsFilesOfEverySize(_ size: Int) throws {
        let text = String(repeating: "x", count: size)
        let path = try directory.write(text, to: "a")
        #expect(try readFile(path) == Array(text.utf8))
        #expect(try readFile(path) == Array(text.utf8))
        #expect(try OpenDirectory(root).readFile("a") == Array(text.utf8))
    }

    @Test func listsAndReadsTheFilesOfADirectory() throws {
        try directory.write("", to: "file")
        try directory.write("", to: "folder/inner")
        #expect(symlink("file", "\(root)/link") == 0)
        #expect(try listEntries(root).filter(\.isFile).map(\.name) == ["file"])
        #expect(try listDirectory(root) == ["file", "folder", "link"])
        let open = try OpenDirectory(root)
        #expect(try open.readFile("folder/inner") == [])
        #expect(throws: FileError("read", "\(root)/gone", code: ENOENT)) { try OpenDirectory(root).readFile("gone") }
        #expect(throws: FileError("read", "\(root)/folder", code: EISDIR)) {
            try OpenDirectory(root).readFile("folder")
        }
    }

    @Test func rejectsNonRegularFilesWithoutBlocking() throws {
        #expect(mkfifo("\(root)/pipe", 0o600) == 0)
        for (path, kind) in [("\(root)/pipe", "pipe"), ("/dev/null", "device")] {
            let failure = FileError("read", path, code: EINVAL)
            #expect(throws: failure) { try readFile(path) }
            #expect(throws: failure) { try readText(path) }
            #expect(throws: failure) { try readStart(of: path, 1) }
            #expect(throws: failure) { try readEnd(of: path, 1) }
            #expect(throws: failure) { try readFile(path) { _ in } }
            #expect(failure.description == "could not read '\(path)': expected a file, found a \(kind)")
        }
        #expect(throws: FileError("read", root, code: EISDIR)) { try readFile(root) }
    }

    @Test func readsPipesWhenTheyAreWritten() throws {
        let path = "\(root)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: FileError("read", path, code: ETIMEDOUT)) { try readPipe(path, limit: .milliseconds(10)) }
        let writer = Thread {
            let descriptor = open(path, O_WRONLY)
            for _ in 0..<3 {
                usleep(1000)
                _ = write(descriptor, "text", 4)
            }
            close(descriptor)
        }
        #expect(try readPipe(path, limit: .seconds(60)) == Array("texttexttext".utf8))
        writer?.join()
    }

    @Test func readsStreamsToTheirEnd() throws {
        #expect(mkfifo("\(root)/pipe", 0o600) == 0)
        let path = "\(root)/pipe"
        let writer = Thread {
            let descriptor = open(path, O_WRONLY)
            _ = write(descriptor, "text", 4)
            close(descriptor)
        }
        #expect(try readStream(path) == Array("text".utf8))
        writer?.join()
    }

    #if os(Linux)
        @Test func readsFilesWithoutAReportedSize() throws {
            #expect(try readFile("/proc/self/status").count > 100)
        }
    #endif

    @Test func removesOnlyEmptyDirectories() throws {
        try directory.write("", to: "full/file")
        for path in ["full", "full/file", "gone"] { removeEmptyDirectory("\(root)/\(path)") }
        #expect(fileKind("\(root)/full/file") == .file)
        try removeTree("\(root)/full/file")
        removeEmptyDirectory("\(root)/full")
        #expect(fileKind("\(root)/full") == nil)
    }

    @Test func failsToRemoveFilesThatCannotBeReached() throws {
        #expect(symlink("loop", "\(root)/loop") == 0)
        #expect(throws: FileError("remove", "\(root)/loop/file", code: ELOOP)) { try removeTree("\(root)/loop/file") }
        try directory.write("", to: "file")
        try removeTree("\(root)/file/inner")
        try removeTree("\(root)/gone/file")
    }

    /// With U+FFFD in place of the invalid byte, the file would not be found, and the directory would not be empty.
    @Test func removesFilesWhoseNameIsNotUTF8() throws {
        let directory = try TemporaryDirectory()
        let inner: [CChar] = "\(directory.path)/a/caf".utf8CString.dropLast() + [CChar(bitPattern: 0xE9), 0]
        mkdir("\(directory.path)/a", 0o755)
        #expect(mkdir(inner, 0o755) == 0)
        try removeTree("\(directory.path)/a")
        #expect(fileKind("\(directory.path)/a") == nil)
    }

    @Test func pathsAreDistinctByTheirBytes() {
        let paths = distinctPaths(["b", "caf\u{E9}", "a/b", "cafe\u{301}", "b", "a", "caf\u{E9}"])
        #expect(paths.map { Array($0.utf8) } == ["a", "a/b", "b", "cafe\u{301}", "caf\u{E9}"].map { Array($0.utf8) })
    }

    @Test func createsAndRemovesTrees() throws {
        try makeDirectories("\(root)/a/b/c")
        try makeDirectories("\(root)/a/b/c")
        try directory.write("x", to: "a/b/c/x")
        #expect(fileKind("\(root)/a/b") == .directory)
        try removeTree("\(root)/a")
        #expect(fileKind("\(root)/a") == nil)
        try removeTree("\(root)/a")
    }

    @Test func aDeniedAccessHasAHint() throws {
        try directory.write("x", to: "own")
        #expect(FileError("read", "\(root)/own", code: EACCES).hint == "chmod u+rw '\(root)/own'")
        #expect(FileError("create", "\(root)/a/b", code: EACCES).hint == "chmod u+rwx '\(root)'")
        #expect(FileError("read", "\(root)/own", code: EIO).hint == nil)
        // Only root can give a file to another user.
        guard chown("\(root)/own", 4711, 4711) == 0 else { return }
        let hint = "'\(root)/own' belongs to the user 4711, and lane runs as the user \(geteuid())"
        #expect(FileError("read", "\(root)/own", code: EACCES).hint == hint)
        #expect(FileError("read", "\(root)/own", code: EACCES).message.hasSuffix("\nhint: \(hint)"))
    }

    @Test func aDirectoryBelowAFileIsAnError() throws {
        try directory.write("x", to: "taken")
        #expect(throws: FileError.self) { try makeDirectories("\(root)/taken/below") }
    }

    @Test(arguments: [
        ("a/b", "/x", "/x/a/b"), ("/a/./b/../c", "/x", "/a/c"), ("..", "/x/y", "/x"), ("../../..", "/x", "/"),
    ])
    func makesPathsAbsolute(path: String, directory: String, expected: String) {
        #expect(absolutePath(path, from: directory) == expected)
    }

    @Test func shortensPathsOnlyBelowTheDirectory() {
        #expect(relativePath("/a/b/c", to: "/a") == "b/c")
        #expect(relativePath("/ab/c", to: "/a") == "/ab/c")
        #expect(relativePath("/a", to: "/a") == ".")
        #expect(parentDirectory("/a") == "/" && parentDirectory("a") == "." && parentDirectory("/a/b") == "/a")
        #expect(lastPathComponent("/a/b.txt") == "b.txt")
    }
}
