import Archives
import CLibrary
import OperatingSystem
import TestSupport
import Testing

@Suite struct ContentTimeTests {
    /// A release sets the times of all files of the repository, whose names need not be valid UTF-8.
    @Test(arguments: ["a.swift", "\u{E9}", String(pathBytes: [0x63, 0xE9])])
    func aFileWithAnyNameGetsATime(name: String) throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/\(name)"
        let times = try ["x", "x", "y"].map { text in
            try writeFile(text, to: path)
            try ContentTime.set(of: path)
            return seconds(of: path)
        }
        #expect(times[0] == times[1] && times[1] != times[2])
    }

    private func seconds(of path: String) -> Int? {
        var status = stat()
        guard withSystemPath(path, { stat($0, &status) }) == 0 else { return nil }
        #if os(Linux)
            return status.st_mtim.tv_sec
        #else
            return status.st_mtimespec.tv_sec
        #endif
    }
}
