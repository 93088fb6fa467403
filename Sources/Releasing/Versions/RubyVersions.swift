import ASCII

/// Versions in the files of CocoaPods and Carthage.
enum RubyVersions {
    /// `s.version = '1.2.3'`, the tag of its source, and what it requires of this package.
    static func podspec(_ source: VersionSource) -> [VersionPlace] {
        source.lines.flatMap { range in
            let line = LineText(range, of: source.bytes, comment: "#")
            let versions = line.values(of: ".version", ["="]).compactMap { source.place($0, .certain) }
            let tags = line.values(of: "tag", ["=>", ":"]).compactMap(source.tagPlace)
            return versions + tags + requirements(line, source)
        }
    }

    static func requirements(_ source: VersionSource) -> [VersionPlace] {
        source.lines.flatMap { requirements(LineText($0, of: source.bytes, comment: "#"), source) }
    }

    /// `pod 'Shape', '~> 1.2'` and `github "example/shape" ~> 1.2.3`
    static func requirements(_ line: LineText, _ source: VersionSource) -> [VersionPlace] {
        ["pod", "dependency", "github"].flatMap { line.positions(after: $0) }.compactMap { text in
            var text = text
            text.skip { $0.isBlank || $0 == UInt8(ascii: "(") }
            guard let name = text.quoted(), source.names.isAddress(source.text(name)) else { return nil }
            text.skip { $0.isBlank || $0 == UInt8(ascii: ",") }
            let quoted = text.quoted()
            var requirement = LineText(quoted ?? text.range, of: source.bytes)
            let sign = requirement.take(any: ["~>", ">=", "==", "="])
            // A word in another place is none.
            guard sign != nil || quoted != nil else { return nil }
            requirement.skipBlanks()
            let version = requirement.run { isVersionByte($0) }
            return source.place(version, .possible) ?? source.place(version, .possible, .majorMinor)
        }
    }
}
