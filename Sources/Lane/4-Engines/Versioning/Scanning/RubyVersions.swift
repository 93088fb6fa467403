import Text

/// Versions in files of CocoaPods and Carthage.
enum RubyVersions {
    /// Returns the versions in `s.version = '1.2.3'`, in the tag of the source, and in requirements of this package.
    static func podspec(_ source: VersionSource) -> [VersionOccurrence] {
        source.lines.flatMap { range in
            let line = LineText(range, of: source.bytes, comment: "#")
            let versions = line.values(of: ".version", ["="]).compactMap { source.occurrence($0, .certain) }
            let tags = line.values(of: "tag", ["=>", ":"]).compactMap { source.tagOccurrence($0, .expected) }
            return versions + tags + requirements(line, source)
        }
    }

    static func requirements(_ source: VersionSource) -> [VersionOccurrence] {
        source.lines.flatMap { requirements(LineText($0, of: source.bytes, comment: "#"), source) }
    }

    /// Returns the versions in `pod 'Shape/Core', '~> 1.2'` and `github "example/shape" ~> 1.2.3`.
    static func requirements(_ line: LineText, _ source: VersionSource) -> [VersionOccurrence] {
        let pods = ["pod", "dependency"].flatMap { line.positions(after: $0) }
            .compactMap { requirement($0, source) { source.names.isPackage($0[...].before("/")) } }
        return pods
            + line.positions(after: "github").compactMap { requirement($0, source, of: source.names.isAddress) }
    }

    private static func requirement(
        _ text: LineText, _ source: VersionSource, of isOwn: (String) -> Bool
    ) -> VersionOccurrence? {
        var text = text
        text.skip { $0.isBlank || $0 == UInt8(ascii: "(") }
        guard let name = text.quoted(), isOwn(source.text(name)) else { return nil }
        text.skip { $0.isBlank || $0 == UInt8(ascii: ",") }
        let quoted = text.quoted()
        var requirement = LineText(quoted ?? text.range, of: source.bytes)
        let sign = requirement.take(any: ["~>", ">=", "==", "="])
        // A bare word elsewhere is not a version.
        guard sign != nil || quoted != nil else { return nil }
        requirement.skipBlanks()
        let version = requirement.run { isVersionByte($0) }
        return source.occurrence(version, .possible, sign == "~>" ? .compatible : .plain)
            ?? source.occurrence(version, .possible, .majorMinor)
    }
}
