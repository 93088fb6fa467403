import OperatingSystem
import Runner
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
