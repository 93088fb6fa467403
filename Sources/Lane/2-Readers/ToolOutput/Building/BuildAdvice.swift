import Text

/// Advice on a build error. The messages of these errors name neither the cause nor a fix.
enum BuildAdvice: Sendable, Hashable {
    case movedDirectory
    case oldToolchain
    case noToolsVersion
    case unfetched(address: String?)
    case staleTestList
    case emptyDependency
    /// A file that SwiftPM or the compiler may not write.
    case unwritable(Location)

    /// The directories of files that a build writes.
    enum Location {
        case home, buildDirectory, elsewhere
    }

    /// The words that identify the messages of SwiftPM, the compiler and git.
    private static let signs: [(words: String, advice: BuildAdvice)] = [
        // The compiler has no directory for its cache, and then reports a missing module, too.
        ("implicit use of module files is disabled", .unwritable(.home)),
        // The compiler's messages after a move: if the old directory is missing, and if it still exists.
        ("was compiled with module cache path", .movedDirectory),
        // The message if two checkouts have the same build directory, by a link.
        ("' is defined in both '", .movedDirectory),
        ("missing required module 'SwiftShims'", .movedDirectory),
        ("which is no longer supported", .noToolsVersion),
        ("is using Swift tools version", .oldToolchain),
        ("Could not resolve host", .unfetched(address: nil)),
        ("Failed to clone repository", .unfetched(address: nil)),
        // SwiftPM prints this path if a clone could not be made.
        ("org.swift.swiftpm/repositories/", .unfetched(address: nil)),
        // Git creates an empty directory for a submodule.
        ("the package manifest at '", .emptyDependency),
        // `LinuxMain.swift` calls functions that `swift test --generate-linuxmain` of Swift 5 wrote.
        ("has no member named '__allTests'", .staleTestList),
        ("has no member 'allTests'", .staleTestList),
    ]

    private static let denials = ["invalid access to /", "'Permission denied'", ": Permission denied"]

    /// Creates the advice on an error message, or returns `nil` if there is none.
    ///
    /// - Parameter addresses: The addresses of the repositories that SwiftPM has begun to fetch.
    init?(of message: String, fetching addresses: [String] = []) {
        if let sign = Self.signs.first(where: { message.contains($0.words) }) {
            self = sign.advice
            if case .unfetched = self { self = .unfetched(address: Self.address(in: message, among: addresses)) }
        } else if message.contains("attempt to write a readonly database") {
            self = .unwritable(.buildDirectory)
        } else if Self.denials.contains(where: { message.contains($0) }) {
            let isInHome = message.contains("/.cache/") || message.contains("/.swiftpm/")
            self = .unwritable(isInHome ? .home : message.contains("/.build/") ? .buildDirectory : .elsewhere)
        } else {
            return nil
        }
    }

    /// Returns the address that a message names, or whose repository has the name of a directory in the message.
    private static func address(in message: String, among addresses: [String]) -> String? {
        if let address = addresses.first(where: { message.contains($0) }) { return address }
        func name(of address: String) -> Substring {
            let path = address.hasSuffix(".git") ? address.dropLast(4) : address[...]
            return path.split { $0 == "/" || $0 == ":" }.last ?? ""
        }
        // The directory `shapes-kit-54a1` starts with `shapes-`, too.
        return addresses.filter { message.contains("org.swift.swiftpm/repositories/\(name(of: $0))-") }
            .max { name(of: $0).utf8.count < name(of: $1).utf8.count }
    }

    /// A sentence in lowercase, with a hint.
    var text: String {
        switch self {
        case .movedDirectory:
            "the build directory was used at another path, so its contents are invalid\nhint: rm -rf .build"
        case .oldToolchain:
            "the package needs a newer toolchain\nhint: get one from https://www.swift.org/install, or lower the "
                + "version in the first line of Package.swift"
        case .noToolsVersion:
            "Package.swift names no Swift version that the toolchain supports\nhint: start it with the line "
                + "'// swift-tools-version: 6.0'"
        case .unfetched(let address):
            "\(address.map { "the dependency '\($0)'" } ?? "a dependency") could not be fetched\nhint: check its address "
                + "in Package.swift, and the network"
        case .unwritable(.home):
            "a cache in the home directory cannot be written\nhint: set HOME to a directory that you can write"
        case .unwritable(.buildDirectory):
            "the build directory cannot be written\nhint: set SWIFTPM_BUILD_DIR to a directory that you can write"
        case .unwritable(.elsewhere): "a file cannot be written\nhint: check the owner and the permissions of the file"
        case .emptyDependency:
            "the directory of a dependency has no Package.swift\nhint: if it is a submodule, run 'git submodule update "
                + "--init --recursive'"
        case .staleTestList:
            "'LinuxMain.swift' lists tests that do not exist\nhint: delete it, because SwiftPM finds all tests, or use "
                + "'--arguments=--enable-test-discovery' to ignore it"
        }
    }
}
