import Text

/// The functions of binaries with their places, which `llvm-cov export -format=lcov` lists.
struct FunctionTable: Sendable {
    struct Place: Hashable, Sendable {
        let file: String
        let line: Int
    }

    /// The places of functions by their mangled names.
    private(set) var places: [Substring: [Place]] = [:]

    /// - Parameter path: A closure that returns the path of a file in the record, or `nil` for a file outside.
    init(lcov: [UInt8], path: (String) -> String?) {
        var file: String?
        for line in lcov.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "SF:".utf8) {
                file = path(String(decoding: line.dropFirst(3), as: UTF8.self))
            } else if let file, line.starts(with: "FN:".utf8) {
                let rest = line.dropFirst(3)
                guard let comma = rest.firstIndex(of: UInt8(ascii: ",")),
                    let number = Int(String(decoding: rest[..<comma], as: UTF8.self))
                else { continue }
                let name = String(decoding: rest[(comma + 1)...], as: UTF8.self)
                places[name[...], default: []].append(Place(file: file, line: number))
            }
        }
    }

    /// The first lines of all functions by file, sorted.
    var lines: [String: [Int]] { Self.lines(Set(places.values.joined())) }

    /// Returns the first lines of functions by file, sorted. Names that no file contains are ignored.
    func lines(of names: Set<Substring>) -> [String: [Int]] {
        Self.lines(names.reduce(into: []) { $0.formUnion(places[$1] ?? []) })
    }

    private static func lines(_ places: Set<Place>) -> [String: [Int]] {
        Dictionary(grouping: places, by: \.file).mapValues { $0.map(\.line).sorted() }
    }

    /// Returns the functions that `llvm-profdata show --all-functions` lists for a sparse profile: the executed ones.
    static func names(inProfile text: [UInt8]) -> Set<Substring> {
        var names: Set<Substring> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            // Names are indented by two spaces, their counters by four.
            guard line.count > 3, line.starts(with: "  ".utf8), line.dropFirst(2).first != UInt8(ascii: " "),
                line.last == UInt8(ascii: ":")
            else { continue }
            names.insert(Substring(decoding: line.dropFirst(2).dropLast(), as: UTF8.self))
        }
        return names
    }
}
