/// How a binary's Swift Testing writes its event stream, newest first.
enum EventStreamForm: String, Sendable, CaseIterable {
    /// Toolchain 6.3 and later: warnings and absolute paths.
    case version6_3
    /// Toolchains 6.0 to 6.2.
    case version0
    /// The same in Swift 5.10, under the options' first names.
    case experimental

    /// The options that keep the library from making any text for people, which costs as much as the events.
    static let withoutText = ["--verbosity", String(Int.min)]

    /// The options that make it write to `path`.
    func arguments(writingTo path: String) -> [String] {
        switch self {
        case .version6_3: ["--event-stream-output-path", path, "--event-stream-version", "6.3"]
        case .version0: ["--event-stream-output-path", path, "--event-stream-version", "0"]
        case .experimental:
            ["--experimental-event-stream-output", path, "--experimental-event-stream-version", "0"]
        }
    }
}
