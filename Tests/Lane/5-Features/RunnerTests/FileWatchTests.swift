import CLibrary
import OperatingSystem
import Runner
import TestSupport
import Testing

@Suite struct FileWatchTests {
    @Test func reportsChangedFiles() throws {
        let directory = try TemporaryDirectory()
        try directory.write("1", to: "Sources/a.swift")
        try directory.write("1", to: "Sources/b.swift")
        let watch = FileWatch(root: directory.path)
        let cancellation = Cancellation()
        try directory.write("22", to: "Sources/a.swift")
        unlink("\(directory.path)/Sources/b.swift")
        try directory.write("1", to: "Sources/New/c.swift")
        try directory.write("1", to: ".build/object.o")
        try directory.write("1", to: "dist/package.tar")
        try directory.write("1", to: "Sources/a.swift~")
        let changes = watch.nextChange(rest: .milliseconds(20), cancellation: cancellation)
        #expect(changes == ["Sources/New/c.swift", "Sources/a.swift", "Sources/b.swift"])
        // In a new directory.
        try directory.write("22", to: "Sources/New/c.swift")
        #expect(watch.nextChange(rest: .milliseconds(20), cancellation: cancellation) == ["Sources/New/c.swift"])
    }

    @Test("Changes in a remote file system are found without events")
    func remoteFileSystem() throws {
        let directory = try TemporaryDirectory()
        try directory.write("1", to: "a.swift")
        var status = stat()
        try #require(stat(directory.path, &status) == 0)
        let device = UInt64(truncatingIfNeeded: status.st_dev)
        let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
        let mounts = "27 1 \(major):\(minor) / /mnt rw,relatime shared:1 - nfs4 server:/ rw\n"
        let watch = FileWatch(root: directory.path, remote: RemoteFileSystems(mounts: mounts))
        // The first wait ends at once, because the directories are new.
        #expect(watch.nextChange(rest: .zero, timeout: .milliseconds(5), cancellation: Cancellation()) == [])
        // A file that is not closed causes no event yet.
        let descriptor = open("\(directory.path)/a.swift", O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        try #require(write(descriptor, "2", 1) == 1)
        let change = watch.nextChange(rest: .milliseconds(20), timeout: .seconds(20), cancellation: Cancellation())
        #expect(change == ["a.swift"])
    }

    /// A switch of branches may cause this.
    @Test func aRecreatedDirectoryIsWatched() throws {
        let directory = try TemporaryDirectory()
        try directory.write("1", to: "Sources/a.swift")
        let watch = FileWatch(root: directory.path)
        let cancellation = Cancellation()
        unlink("\(directory.path)/Sources/a.swift")
        rmdir("\(directory.path)/Sources")
        try directory.write("22", to: "Sources/a.swift")
        #expect(watch.nextChange(rest: .milliseconds(20), cancellation: cancellation) == ["Sources/a.swift"])

        let impatience = Thread { if !cancellation.wait(.seconds(20)) { cancellation.cancel() } }
        try directory.write("333", to: "Sources/a.swift")
        #expect(watch.nextChange(rest: .milliseconds(20), cancellation: cancellation) == ["Sources/a.swift"])
        cancellation.cancel()
        impatience?.join()
    }

    /// Each of these files is declared, so no rule hides it.
    @Test(arguments: [
        (".env", ".env"), (".github/a.yml", ".github/*.yml"), ("build/made.txt", "build/**"), ("made.txt", "made.txt"),
        ("../beside/a.txt", "../beside/*"), ("../beside/new/a.txt", "../beside/**"), ("a.txt~", "a.txt~"),
        ("x/.hidden/a", "x/{.hidden,y}/*"), ("./made.txt", "./made.txt"),
    ])
    func declaredFilesAreWatched(file: String, pattern: String) throws {
        let parent = try TemporaryDirectory()
        for name in ["root", "beside"] { mkdir("\(parent.path)/\(name)", 0o755) }
        let root = "\(parent.path)/root"
        // As if git ignored all files.
        let watch = FileWatch(root: root) { _ in [] }
        watch.declare([FilePattern(pattern)])
        let shown = file.hasPrefix("./") ? String(file.dropFirst(2)) : file
        for content in ["1", "22", nil] {
            if let content { try parent.write(content, to: "root/\(file)") } else { unlink("\(root)/\(file)") }
            let change = watch.nextChange(rest: .milliseconds(5), timeout: .seconds(20), cancellation: Cancellation())
            #expect(change == [shown], "\(content ?? "removed")")
        }
        #expect(watch.nextChange(rest: .zero, timeout: .milliseconds(5), cancellation: Cancellation()) == [])
    }

    @Test func directoriesOfSourcesAreWatched() throws {
        let directory = try TemporaryDirectory()
        try directory.write("1", to: "Sources/build/a.swift")
        let watch = FileWatch(root: directory.path)
        try directory.write("22", to: "Sources/build/a.swift")
        #expect(watch.changedContents() == ["Sources/build/a.swift"])
    }

    @Test func sameContentsAreNoChange() throws {
        let directory = try TemporaryDirectory()
        for name in ["a", "b", "c"] { try directory.write("1", to: name) }
        let watch = FileWatch(root: directory.path)
        for name in ["a", "b"] { try directory.write("1", to: name) }
        try directory.write("1", to: "new")
        unlink("\(directory.path)/c")
        chmod("\(directory.path)/b", 0o755)
        #expect(watch.changedContents() == ["b", "c", "new"])
        #expect(watch.changedContents() == [])
    }

    /// Git ignores the log, and the other file changes all the time.
    @Test(arguments: ["app.log", "busy.txt"]) func constantChangesAreNoObstacle(busy: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("1", to: "a.swift")
        try directory.write("1", to: busy)
        let watch = FileWatch(root: directory.path) { files in files.filter { !$0.hasSuffix(".log") } }
        let end = Cancellation()
        let writer = Thread {
            var text = ""
            while !end.wait(.milliseconds(5)) {
                text += "x"
                _ = try? directory.write(text, to: busy)
            }
        }
        try directory.write("22", to: "a.swift")
        let changes = watch.nextChange(rest: .milliseconds(50), timeout: .seconds(30), cancellation: Cancellation())
        #expect(changes == (busy == "app.log" ? ["a.swift"] : ["a.swift", busy]))
        end.cancel()
        writer?.join()
    }

    @Test func aCancellationEndsTheWait() throws {
        let directory = try TemporaryDirectory()
        let cancellation = Cancellation()
        let canceller = Thread {
            Cancellation().wait(.milliseconds(20))
            cancellation.cancel()
        }
        #expect(FileWatch(root: directory.path).nextChange(cancellation: cancellation) == nil)
        canceller?.join()
    }
}
