import CLibrary
import OperatingSystem
import TestSupport
import Testing

@Suite struct WriteTargetTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var root: String { directory.path }

    @Test func linksAreFollowedAndKept() throws {
        try directory.write("old", to: "real/a.txt", mode: 0o600)
        let targets = ["real/a.txt", "../\(lastPathComponent(root))/real/a.txt", "\(root)/real/a.txt", "link0"]
        for (index, target) in targets.enumerated() {
            let link = "\(root)/link\(index)"
            #expect(symlink(target, link) == 0)
            try writeFile("new \(index)", to: link)
            #expect(try readText("\(root)/real/a.txt") == "new \(index)")
            #expect(fileKind(link) == .link)
        }
        #expect(try listDirectory("\(root)/real") == ["a.txt"])
        var status = stat()
        #expect(stat("\(root)/real/a.txt", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func theTargetOfALinkIsReplacedAtomically() throws {
        try directory.write("old", to: "a.txt")
        #expect(symlink("a.txt", "\(root)/link") == 0)
        // A process that has the old file open keeps reading the old contents.
        let reader = open("\(root)/a.txt", O_RDONLY)
        defer { close(reader) }
        try writeFile("new", to: "\(root)/link")
        #expect(read(from: reader) == "old")
        #expect(try readText("\(root)/link") == "new")
    }

    @Test func aDanglingLinkGetsItsTarget() throws {
        try makeDirectories("\(root)/sub")
        #expect(symlink("sub/new.txt", "\(root)/link") == 0 && symlink("gone/new.txt", "\(root)/lost") == 0)
        try writeFile("new", to: "\(root)/link")
        #expect(try readText("\(root)/sub/new.txt") == "new")
        #expect(fileKind("\(root)/link") == .link)
        #expect(throws: FileError("write", "\(root)/lost", code: ENOENT)) { try writeFile("x", to: "\(root)/lost") }
    }

    @Test func aCycleOfLinksIsAnError() throws {
        #expect(symlink("two", "\(root)/one") == 0 && symlink("one", "\(root)/two") == 0)
        #expect(throws: FileError("write", "\(root)/one", code: ELOOP)) { try writeFile("x", to: "\(root)/one") }
        #expect(try listDirectory(root) == ["one", "two"])
    }

    @Test(arguments: [false, true])
    func aPipeIsWrittenToAndNotReplaced(_ isLinked: Bool) throws {
        #expect(mkfifo("\(root)/pipe", 0o600) == 0 && symlink("pipe", "\(root)/link") == 0)
        let reader = open("\(root)/pipe", O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try writeFile("report", to: isLinked ? "\(root)/link" : "\(root)/pipe")
        #expect(read(from: reader) == "report")
        #expect(fileKind("\(root)/pipe") == .other && fileKind("\(root)/link") == .link)
        #expect(try listDirectory(root) == ["link", "pipe"])
    }

    @Test(.enabled(if: fileKind("/dev/full") == .other, "there is no such device"))
    func aFullDeviceIsAnError() throws {
        // Written through a link, so that a bug would replace the link and not the device.
        #expect(symlink("/dev/full", "\(root)/full") == 0)
        #expect(throws: FileError("write", "\(root)/full", code: ENOSPC)) { try writeFile("x", to: "\(root)/full") }
        #expect(fileKind("\(root)/full") == .link && fileKind("/dev/full") == .other)
    }

    @Test func aDirectoryIsAnError() throws {
        #expect(throws: FileError("write", root, code: EISDIR)) { try writeFile("x", to: root) }
    }

    @Test(.enabled(if: isDirectory("/proc/self/fd"), "descriptors have no paths here"))
    func anOpenDescriptorIsAppendedTo() throws {
        let descriptor = open("\(root)/output", O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        #expect(symlink("/proc/self/fd/\(descriptor)", "\(root)/stdout") == 0)
        write("before ", to: descriptor)
        try writeFile("report", to: "\(root)/stdout")
        write(" after", to: descriptor)
        #expect(try readText("\(root)/output") == "before report after")
        #expect(try listDirectory(root) == ["output", "stdout"])
    }

    private func write(_ text: String, to descriptor: Int32) {
        do {
            try Array(text.utf8).withUnsafeBytes { try writeAll($0, to: descriptor, named: "output") }
        } catch {
            Issue.record(error)
        }
    }

    private func read(from descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = CLibrary.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
