import Text

/// The functions that each suite of a package's tests executed at a commit.
///
/// A function is identified by its file and its first line. The file format is text: a line for each source file with
/// the lines of its functions, and for each suite its tests and the indices of the functions that it executed.
package struct SuiteRecord: Sendable, Equatable {
    /// The tests that ran in one process: those of a class or a top-level suite, or the functions of a file.
    package struct Suite: Sendable, Equatable {
        package let module: String
        package let name: String
        /// The IDs of the tests that passed.
        package var tests: [String]
        /// The first lines of the executed functions by file, sorted.
        package var executed: [String: [Int]]

        package init(module: String, name: String, tests: [String], executed: [String: [Int]]) {
            self.module = module
            self.name = name
            self.tests = tests
            self.executed = executed
        }
    }

    /// The commit that was checked out.
    package var commit: String
    /// The configuration and the options of the build. Tests that are built otherwise may execute other functions.
    package var build: String
    /// The files that differed from it, relative to the root of the repository.
    package var changedFiles: [String]
    /// The first lines of all functions by file, sorted. Files are relative to the root of the repository.
    package var functions: [String: [Int]]
    package var suites: [Suite]

    package init(
        commit: String, build: String, changedFiles: [String] = [], functions: [String: [Int]], suites: [Suite]
    ) {
        self.commit = commit
        self.build = build
        self.changedFiles = changedFiles
        self.functions = functions
        self.suites = suites
    }

    private static let header = "lane suite coverage 2"
    private static let end = "end"

    /// The contents of a file with the record.
    package var bytes: [UInt8] {
        var lines = [Self.header, "commit\t\(commit)", "build\t\(build)"]
        lines += changedFiles.map { "changed\t\($0)" }
        let files = functions.keys.sorted()
        for file in files {
            lines.append("file\t\(file)\t\((functions[file] ?? []).map(String.init).joined(separator: " "))")
        }
        let indices = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
        for suite in suites {
            lines.append("suite\t\(suite.module)\t\(suite.name)")
            lines += suite.tests.map { "test\t\($0)" }
            for (file, executed) in suite.executed.sorted(by: { $0.key < $1.key }) {
                guard let index = indices[file], let all = functions[file] else { continue }
                let places = Set(executed)
                let ranges = Self.ranges(all.indices.filter { places.contains(all[$0]) })
                lines.append("runs\t\(index)\t\(ranges)")
            }
        }
        lines.append(Self.end)
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Parses the contents of a file. Returns `nil` if they are not a record of this version, or damaged.
    package init?(parsing bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map {
            $0.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        guard bytes.last == UInt8(ascii: "\n"), lines.first == [Self.header], lines.last == [Self.end], lines.count > 3,
            lines[1].count == 2, lines[1][0] == "commit", lines[2].count == 2, lines[2][0] == "build"
        else { return nil }
        self.init(commit: lines[1][1], build: lines[2][1], functions: [:], suites: [])
        var files: [String] = []
        for line in lines.dropFirst(3).dropLast() where !add(line, &files) { return nil }
    }

    /// Adds a line. Returns `false` if it is damaged.
    private mutating func add(_ line: [String], _ files: inout [String]) -> Bool {
        switch (line[0], line.count) {
        case ("changed", 2): changedFiles.append(line[1])
        case ("file", 3):
            let numbers = line[2].split(separator: " ").map { Int($0) }
            guard !numbers.contains(nil) else { return false }
            files.append(line[1])
            functions[line[1]] = numbers.compactMap(\.self)
        case ("suite", 3): suites.append(Suite(module: line[1], name: line[2], tests: [], executed: [:]))
        case ("test", 2) where !suites.isEmpty: suites[suites.count - 1].tests.append(line[1])
        case ("runs", 3) where !suites.isEmpty:
            guard let index = Int(line[1]), files.indices.contains(index),
                let all = functions[files[index]], let chosen = Self.indices(line[2], below: all.count)
            else { return false }
            suites[suites.count - 1].executed[files[index]] = chosen.map { all[$0] }
        default: return false
        }
        return true
    }

    /// Returns sorted indices as text: `0-3 7`.
    private static func ranges(_ indices: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for index in indices {
            if let last = ranges.last, last.upperBound == index - 1 {
                ranges[ranges.count - 1] = last.lowerBound...index
            } else {
                ranges.append(index...index)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: " ")
    }

    private static func indices(_ text: String, below count: Int) -> [Int]? {
        var result: [Int] = []
        for word in text.split(separator: " ") {
            let ends = word.split(separator: "-").map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last, last < count, first >= 0
            else { return nil }
            result += first...last
        }
        return result
    }
}
