import Text

/// The functions of binaries with their locations, which `llvm-cov export -format=lcov` lists.
struct FunctionTable: Sendable {
    /// The first line of a function.
    struct Location: Hashable, Sendable {
        let file: String
        let line: Int
    }

    /// The locations of functions by their mangled names. A function outside the package has none.
    private(set) var locations: [Substring: [Location]] = [:]

    /// - Parameter path: A closure that returns the path of a file in the record, or `nil` for a file outside.
    init(lcov: [UInt8], path: (String) -> String?) {
        var file: String?
        for line in lcov.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "SF:".utf8) {
                file = path(String(decoding: line.dropFirst(3), as: UTF8.self))
            } else if line.starts(with: "FN:".utf8) {
                let rest = line.dropFirst(3)
                guard let comma = rest.firstIndex(of: UInt8(ascii: ",")),
                    let number = Int(String(decoding: rest[..<comma], as: UTF8.self))
                else { continue }
                let location = file.map { Location(file: $0, line: number) }
                locations[Self.name(rest[(comma + 1)...]), default: []] += location.map { [$0] } ?? []
            }
        }
    }

    /// The first lines of all functions by file, sorted.
    var lines: [String: [Int]] { Self.lines(Set(locations.values.joined())) }

    /// Returns the first lines of functions by file, sorted, or `nil` if a function is unknown.
    func lines(of names: Set<Substring>) -> [String: [Int]]? {
        var all: Set<Location> = []
        for name in names {
            guard let found = locations[name] else { return nil }
            all.formUnion(found)
        }
        return Self.lines(all)
    }

    private static func lines(_ locations: Set<Location>) -> [String: [Int]] {
        Dictionary(grouping: locations, by: \.file).mapValues { $0.map(\.line).sorted() }
    }

    /// Returns the functions that `llvm-profdata show --all-functions` lists for a sparse profile: the executed ones.
    static func names(inProfile text: [UInt8]) -> Set<Substring> {
        var names: Set<Substring> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            // Names are indented by two spaces, their counters by four.
            guard line.count > 3, line.starts(with: "  ".utf8), line.dropFirst(2).first != UInt8(ascii: " "),
                line.last == UInt8(ascii: ":")
            else { continue }
            names.insert(name(line.dropFirst(2).dropLast()))
        }
        return names
    }

    /// Returns the name of a function without the path of its file. A profile contains the path for a private function,
    /// a report of `llvm-cov` does not.
    private static func name(_ text: ArraySlice<UInt8>) -> Substring {
        let start = text.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? text.startIndex
        return Substring(decoding: text[start...], as: UTF8.self)
    }
}
