import Text

/// The settings of a target that `swift package describe` omits.
package struct TargetSettings: Sendable, Equatable {
    /// The directory of headers, or `nil` for the default.
    let headers: String?
    var linkedLibraries: [String]
    /// The name of a system library in `pkg-config`.
    let pkgConfig: String?
    /// The names of the Debian packages that provide a system library.
    let debianPackages: [String]
    let excluded: [String]
    let declaredSources: [String]?
    /// A Boolean value that indicates whether the target has unsafe flags, on any platform.
    package let hasUnsafeFlags: Bool
    /// The identities of the packages whose products the target uses.
    package let foreignPackages: [String]

    #if os(Linux)
        private static let platform = "linux"
        private static let cxxLibrary = "stdc++"
    #else
        private static let platform = "macos"
        private static let cxxLibrary = "c++"
    #endif

    /// Parses the output of `swift package dump-package`. Returns the settings by target.
    static func read(_ manifest: JSONNode) -> [String: TargetSettings] {
        var found: [String: TargetSettings] = [:]
        for target in manifest["targets"]?.array ?? [] {
            guard let name = target["name"]?.string else { continue }
            found[name] = TargetSettings(
                headers: target["publicHeadersPath"]?.string,
                linkedLibraries: (target["settings"]?.array ?? []).filter { applies($0["condition"]) }
                    .compactMap { $0["kind"]?["linkedLibrary"]?["_0"]?.string },
                pkgConfig: target["pkgConfig"]?.string,
                debianPackages: (target["providers"]?.array ?? [])
                    .flatMap { $0["apt"]?.array ?? [] }.flatMap { $0.array ?? [] }.compactMap(\.string),
                excluded: target["exclude"]?.array?.compactMap(\.string) ?? [],
                declaredSources: target["sources"]?.array.map { sources in
                    sources.compactMap(\.string) + (target["resources"]?.array ?? []).compactMap { $0["path"]?.string }
                },
                hasUnsafeFlags: (target["settings"]?.array ?? []).contains { $0["kind"]?["unsafeFlags"] != nil },
                foreignPackages: (target["dependencies"]?.array ?? []).compactMap { dependency in
                    dependency["product"]?.array?.dropFirst().first?.string?.lowercased()
                })
        }
        return found
    }

    /// Returns the C++ library for sources in C++, which SwiftPM links automatically.
    static func languageLibraries(of sources: [String]) -> [String] {
        let isCxx = sources.contains { source in
            ["cpp", "cc", "cxx", "c++", "C", "mm"].contains { source.hasSuffix(".\($0)") }
        }
        return isCxx ? [cxxLibrary] : []
    }

    /// Returns a Boolean value that indicates whether a setting applies to a release build on this platform.
    private static func applies(_ condition: JSONNode?) -> Bool {
        let platforms = condition?["platformNames"]?.array?.compactMap(\.string) ?? []
        return (platforms.isEmpty || platforms.contains(platform))
            && condition?["config"]?.string.map { $0 == "release" } ?? true
    }
}
