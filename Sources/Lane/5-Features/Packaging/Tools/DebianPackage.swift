import Archives
import OperatingSystem
import SwiftPackages
import Text

/// A package for Debian and Ubuntu (`man 5 deb`). It doesn't need the tools of Debian to create it.
struct DebianPackage {
    static let suffix = ".deb"

    let record: PackageRecord
    let files: InstallableFiles
    /// One line about the programs.
    let summary: String
    /// The name and the email address of the maintainer.
    let maintainer: String
    /// The packages that the programs need.
    let dependencies: [String]

    /// The name, which must not contain `_`, starts with a letter or digit, and has at least two characters.
    var name: String {
        let name = String(PackageOrder.fileName(record.name).replacing("_", with: "-").drop { $0 == "-" })
        return name.utf8.count > 1 ? name : "\(name)-tool"
    }

    func bytes() throws(OperationFailure) -> [UInt8] {
        let data = try entries()
        return try convertingArchiveErrors { () throws(ArchiveError) in
            let tar = try ArchiveContents(data).tar(modified: record.time)
            let control = try ArchiveContents([entry("control", control(size: tar.count))]).tar(modified: record.time)
            return ArArchive.bytes(
                of: [
                    ("debian-binary", Array("2.0\n".utf8)), ("control.tar.gz", try gzip(control)),
                    ("data.tar.gz", try gzip(tar)),
                ], modified: record.time)
        }
    }

    private func entry(_ path: String, _ text: String) -> ArchiveEntry {
        ArchiveEntry(path, .bytes(Array(text.utf8), isExecutable: false))
    }

    private func entries() throws(OperationFailure) -> [ArchiveEntry] {
        let documents = "usr/share/doc/\(name)"
        var entries = files.programs(resourcesIn: "usr/lib/\(name)")
        for (path, content) in files.entries {
            if path.hasPrefix("share/man/") {
                let page = try content.bytes()
                let packed = try convertingArchiveErrors(of: gzip(page))
                entries.append(ArchiveEntry("usr/\(path).gz", .bytes(packed, isExecutable: false)))
            } else if path.hasPrefix("share/zsh/") {
                entries.append(ArchiveEntry("usr/share/zsh/vendor-completions/\(lastPathComponent(path))", content))
            } else if path.hasPrefix("share/doc/") {
                let below = path.pathComponents.dropFirst(3).joined(separator: "/")
                entries.append(ArchiveEntry("\(documents)/\(below)", content))
            } else if path.hasPrefix("share/") {
                entries.append(ArchiveEntry("usr/\(path)", content))
            }
        }
        entries.append(entry("\(documents)/copyright", try copyright()))
        let changes = try convertingArchiveErrors(of: gzip(Array(changelog.utf8)))
        entries.append(ArchiveEntry("\(documents)/changelog.gz", .bytes(changes, isExecutable: false)))
        if files.areStatic { entries.append(entry("usr/share/lintian/overrides/\(name)", overrides)) }
        return entries
    }

    /// The version in the format of Debian, in which `~` sorts before the end: `1.2.0~rc.1` is older than `1.2.0`.
    static func version(_ version: SemanticVersion) -> String {
        let core = "\(version.major).\(version.minor).\(version.patch)"
        let rest = version.description.dropFirst(core.utf8.count)
        return core + (version.isPrerelease ? "~" + rest.dropFirst() : rest).replacing("-", with: ".")
    }

    /// Returns the name of a machine in Debian, by the first part of its triple.
    static func architecture(_ triple: String) -> String {
        let machine = String(triple.prefix { $0 != "-" })
        return ["x86_64": "amd64", "aarch64": "arm64", "i686": "i386", "armv7": "armhf"][machine] ?? machine
    }

    private func control(size: Int) -> String {
        let names = list(files.programs, joinedBy: "and")
        var fields = [
            ("Package", name), ("Version", Self.version(record.version)),
            ("Architecture", Self.architecture(record.triple)), ("Maintainer", maintainer),
            ("Installed-Size", String((size + 1023) / 1024)),
        ]
        if !dependencies.isEmpty { fields.append(("Depends", dependencies.joined(separator: ", "))) }
        fields += [("Section", "utils"), ("Priority", "optional")]
        if let page = record.homepage { fields.append(("Homepage", page)) }
        fields.append(
            (
                "Description",
                "\(ToolDescription.synopsis(summary, of: record.name))\n This package contains \(names) of \(record.name)."
            ))
        return fields.map { "\($0.0): \($0.1)\n" }.joined()
    }

    /// The licenses whose texts each Debian system contains, and which packages must not repeat.
    private static let common: Set<String> = ["Apache-2.0", "MPL-2.0"]

    private func copyright() throws(OperationFailure) -> String {
        let year = Instant(secondsSince1970: record.time).date.year
        var text = "\(record.name) \(record.version)\nCopyright \(year) the authors of \(record.name)\n"
        if let origin = record.origin { text += "Source: \(origin), commit \(record.commit)\n" }
        if let license = record.license, Self.common.contains(license) {
            text += "License: \(license), see /usr/share/common-licenses/\(license)\n"
        } else {
            text += "\n\(try files.license() ?? "The source contains no license.\n")"
        }
        guard !files.licenses.isEmpty else { return text }
        return text + "\nThe licenses of other code in the programs are in /usr/share/doc/\(name)/licenses.\n"
    }

    private var changelog: String {
        """
        \(name) (\(Self.version(record.version))) unstable; urgency=medium

          * Release \(record.version).

         -- \(maintainer)  \(Self.date(record.time))

        """
    }

    /// Returns a time in the format of mail headers (RFC 5322).
    static func date(_ time: Int64) -> String {
        let instant = Instant(secondsSince1970: time)
        let (date, days) = (instant.date, ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"])
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
        return "\(days[date.daysSince1970 % 7]), \(day) \(months[date.month - 1]) \(date.year) \(instant.clock) +0000"
    }

    /// The findings of `lintian` that are intended: the programs contain the libraries that they need.
    private var overrides: String {
        ["statically-linked-binary", "embedded-library"].map { "\(name): \($0) *\n" }.joined()
    }
}
