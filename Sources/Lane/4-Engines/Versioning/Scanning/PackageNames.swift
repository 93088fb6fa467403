import Git
import OperatingSystem
import Text

/// The names by which files refer to the package.
struct PackageNames: Sendable, Equatable {
    /// The names of the package in the manifest and in podspecs, and the name of its repository.
    let whole: Set<String>
    /// The names of its products and targets.
    let parts: Set<String>
    /// The address of its repository.
    let origin: RemoteAddress?

    init(whole: some Sequence<String>, parts: some Sequence<String> = [], origin: RemoteAddress? = nil) {
        self.origin = origin
        self.whole = Set(whole.map { Self.plain($0) }).subtracting([""])
        self.parts = Set(parts.map { Self.plain($0) }).subtracting([""])
    }

    func isPackage(_ name: some StringProtocol) -> Bool { whole.contains(Self.plain(name)) }

    /// Returns a Boolean value that indicates whether the last component of a URL, without `.git`, is a name of the
    /// package.
    func isAddress(_ address: String) -> Bool {
        var last = address.split(separator: "/").last ?? ""
        if last.hasSuffix(".git") { last = last.dropLast(4) }
        return isPackage(last)
    }

    /// Returns a Boolean value that indicates whether the name of a constant, variable or key means the package's
    /// version: `version`, `currentVersion`, `SHAPE_VERSION`, but not `protocolVersion`.
    func isVersion(_ name: some StringProtocol) -> Bool {
        let name = Self.plain(name)
        guard name.hasSuffix("version") else { return false }
        let owner = String(name.dropLast("version".count))
        return ["", "current", "package", "library", "app", "tool", "module"].contains(owner)
            || whole.contains(owner) || parts.contains(owner)
    }

    /// Returns the letters and digits of a name in lowercase.
    private static func plain(_ name: some StringProtocol) -> String {
        String(decoding: name.utf8.filter { $0.isAlphanumeric || $0 >= 0x80 }, as: UTF8.self).lowercased()
    }
}

extension PackageNames {
    /// Reads the names from files and from the URL of the repository. The directory does not count, because a
    /// checkout can have any name.
    static func find(in root: String, _ tracked: [String], _ git: Git) throws(OperationFailure) -> PackageNames {
        var whole: [String] = []
        var parts: [String] = []
        let kinds = [
            "library", "executable", "target", "executableTarget", "plugin", "macro", "systemLibrary", "binaryTarget",
        ]
        if let manifest = try? readFile("\(root)/Package.swift") {
            for string in SwiftStrings.all(in: manifest[...]) where string.label == "name" {
                let name = String(decoding: manifest[string.range], as: UTF8.self)
                guard let call = string.calls.last?.name else { continue }
                if call == "Package" { whole.append(name) } else if kinds.contains(call) { parts.append(name) }
            }
        }
        for path in tracked where path.hasSuffix(".podspec") && !path.contains("/") {
            whole.append(String(path.dropLast(".podspec".count)))
        }
        let origin = try git.origin().flatMap { RemoteAddress($0) }
        if let origin { whole.append(lastPathComponent(origin.repository)) }
        return PackageNames(whole: whole, parts: parts, origin: origin)
    }
}
