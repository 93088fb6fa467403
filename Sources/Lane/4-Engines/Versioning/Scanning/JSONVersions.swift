/// Versions in JSON files.
enum JSONVersions {
    static func occurrences(_ source: VersionSource) -> [VersionOccurrence] {
        let isPodspec = source.name.hasSuffix(".podspec.json")
        let values = strings(source.bytes)
        let isLock = source.name == "package-lock.json" || source.name == "npm-shrinkwrap.json"
        let isOwn = values.contains { $0.keys == ["name"] && source.names.isAddress(source.text($0.range)) }
        return values.compactMap { keys, range in
            switch keys {
            case ["version"] where isPodspec: source.occurrence(range, .certain)
            case ["source", "tag"] where isPodspec: source.tagOccurrence(range, .expected)
            case ["version"] where isOwn || source.path == "version.json": source.occurrence(range, .expected)
            case ["packages", "", "version"] where isOwn && isLock: source.occurrence(range, .expected)
            case ["softwareVersion"] where isOwn && source.name == "codemeta.json": source.occurrence(range, .expected)
            default: nil
            }
        }
    }

    /// Returns the string values outside arrays with their keys.
    static func strings(_ bytes: [UInt8]) -> [(keys: [String], range: Range<Int>)] {
        var found: [(keys: [String], range: Range<Int>)] = []
        // The current key of each open object, or `nil` for an array.
        var keys: [String?] = []
        var expectsKey = false
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"):
                keys.append("")
                expectsKey = true
            case UInt8(ascii: "["):
                keys.append(nil)
                expectsKey = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = keys.popLast()
                expectsKey = false
            case UInt8(ascii: ","): expectsKey = keys.last.map { $0 != nil } ?? false
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                let range = start..<min(index, bytes.count)
                if expectsKey {
                    keys[keys.count - 1] = String(decoding: bytes[range], as: UTF8.self)
                    expectsKey = false
                } else if keys.last.map({ $0 != nil }) ?? false {
                    found.append((keys.compactMap { $0 }, range))
                }
            default: break
            }
            index += 1
        }
        return found
    }
}
