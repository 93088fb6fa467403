/// Advice on an error whose message names neither the cause nor the next command.
enum BuildAdvice: Sendable {
    case movedDirectory
    case oldToolchain
    case unfetched

    /// Words of the messages of SwiftPM, the compiler and git.
    private static let signs: [(words: String, advice: BuildAdvice)] = [
        // The compiler's messages after a move, if the old directory is missing and if it exists.
        ("was compiled with module cache path", .movedDirectory),
        ("missing required module 'SwiftShims'", .movedDirectory),
        ("is using Swift tools version", .oldToolchain),
        ("Could not resolve host", .unfetched),
        ("Failed to clone repository", .unfetched),
        // SwiftPM asks for the origin of a clone that could not be made.
        ("org.swift.swiftpm/repositories/", .unfetched),
    ]

    /// Finds the advice for the message of an error, if there is one.
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
        }
    }
}
