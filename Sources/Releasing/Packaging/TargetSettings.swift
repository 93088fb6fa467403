import JSON

/// What only the manifest says about a target.
struct TargetSettings: Sendable, Equatable {
    /// `nil` for the usual folder.
    let headers: String?
    var linkedLibraries: [String]
    /// What a system library is called by `pkg-config`.
    let pkgConfig: String?
    let excluded: [String]
    let declaredSources: [String]?

    #if os(Linux)
        private static let platform = "linux"
        private static let cxxLibrary = "stdc++"
    #else
        private static let platform = "macos"
        private static let cxxLibrary = "c++"
    #endif

    /// Reads what `swift package dump-package` prints: the settings of each target by its name.
    static func read(_ manifest: JSONNode) -> [String: TargetSettings] {
        var found: [String: TargetSettings] = [:]
        for target in manifest["targets"]?.array ?? [] {
            guard let name = target["name"]?.string else { continue }
            found[name] = TargetSettings(
                headers: target["publicHeadersPath"]?.string,
                linkedLibraries: (target["settings"]?.array ?? []).filter { isMeant($0["condition"]) }
                    .compactMap { $0["kind"]?["linkedLibrary"]?["_0"]?.string },
                pkgConfig: target["pkgConfig"]?.string,
                excluded: target["exclude"]?.array?.compactMap(\.string) ?? [],
                declaredSources: target["sources"]?.array.map { sources in
                    sources.compactMap(\.string) + (target["resources"]?.array ?? []).compactMap { $0["path"]?.string }
                })
        }
        return found
    }

    /// SwiftPM links programs with the library of C++ by itself where a source is written in it; so must others.
    static func languageLibraries(of sources: [String]) -> [String] {
        let isCxx = sources.contains { source in
            ["cpp", "cc", "cxx", "c++", "C", "mm"].contains { source.hasSuffix(".\($0)") }
        }
        return isCxx ? [cxxLibrary] : []
    }

    /// Whether a setting holds for a release build on this platform.
    private static func isMeant(_ condition: JSONNode?) -> Bool {
        let platforms = condition?["platformNames"]?.array?.compactMap(\.string) ?? []
        return (platforms.isEmpty || platforms.contains(platform))
            && condition?["config"]?.string.map { $0 == "release" } ?? true
    }
}
