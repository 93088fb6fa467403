import Text

/// Advice on a build error. The messages of these errors name neither the cause nor a fix.
enum BuildAdvice: Sendable {
    case movedDirectory
    case oldToolchain
    case unfetched
    case staleTestList

    /// The words that identify the messages of SwiftPM, the compiler and git.
    private static let signs: [(words: String, advice: BuildAdvice)] = [
        // The compiler's messages after a move: if the old directory is missing, and if it still exists.
        ("was compiled with module cache path", .movedDirectory),
        ("missing required module 'SwiftShims'", .movedDirectory),
        ("is using Swift tools version", .oldToolchain),
        ("Could not resolve host", .unfetched),
        ("Failed to clone repository", .unfetched),
        // SwiftPM prints this path if a clone could not be made.
        ("org.swift.swiftpm/repositories/", .unfetched),
        // `LinuxMain.swift` calls functions that `swift test --generate-linuxmain` of Swift 5 wrote.
        ("has no member named '__allTests'", .staleTestList),
        ("has no member 'allTests'", .staleTestList),
    ]

    /// Creates the advice on an error message, or returns `nil` if there is none.
    init?(of message: String) {
        guard let sign = Self.signs.first(where: { message.contains($0.words) }) else { return nil }
        self = sign.advice
    }

    /// A sentence in lowercase, with a hint.
    var text: String {
        switch self {
        case .movedDirectory: "the build directory was moved, so its contents are invalid\nhint: rm -rf .build"
        case .oldToolchain:
            "the package needs a newer toolchain\nhint: get one from https://www.swift.org/install, or lower the "
                + "version in the first line of Package.swift"
        case .unfetched:
            "a dependency could not be fetched\nhint: check its address in Package.swift, and the network"
        case .staleTestList:
            "'LinuxMain.swift' lists tests that do not exist\nhint: delete it, because SwiftPM finds all tests, or use "
                + "'--arguments=--enable-test-discovery' to ignore it"
        }
    }
}
