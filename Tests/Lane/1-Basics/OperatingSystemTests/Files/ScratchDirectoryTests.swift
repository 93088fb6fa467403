import OperatingSystem
import TestSupport
import Testing

@Suite struct ScratchDirectoryTests {
    @Test func theNextDirectoryRemovesUnusedDirectories() throws {
        let parent = try TemporaryDirectory()
        let environment = ["TMPDIR": parent.path]
        try parent.write("output", to: "lane-x.killed/inner/file")
        try parent.write("other", to: "lane-xy.other/file")
        let first = try ScratchDirectory(for: environment, prefix: "lane-x")
        let second = try ScratchDirectory(for: environment, prefix: "lane-x")
        let names = [first, second].map { lastPathComponent($0.path) }
        #expect(names.allSatisfy { $0.hasPrefix("lane-x.") })
        #expect(try Set(listDirectory(parent.path)) == Set(names + ["lane-xy.other"]))
        first.remove()
        second.remove()
        #expect(try listDirectory(parent.path) == ["lane-xy.other"])
    }

    @Test func aReleasedDirectoryIsRemovedByTheNext() throws {
        let parent = try TemporaryDirectory()
        let environment = ["TMPDIR": parent.path]
        // Like the end of the process, this releases the lock and removes nothing.
        let path = try ScratchDirectory(for: environment, prefix: "lane-x").path
        #expect(isDirectory(path))
        let next = try ScratchDirectory(for: environment, prefix: "lane-x")
        #expect(try listDirectory(parent.path) == [lastPathComponent(next.path)])
    }
}
