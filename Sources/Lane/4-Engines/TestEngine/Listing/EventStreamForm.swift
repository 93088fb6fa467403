import Text

/// A format of Swift Testing's event stream, newest first.
enum EventStreamForm: String, Sendable, CaseIterable {
    /// The format of toolchain 6.3 and later, with warnings and absolute paths.
    case version63
    /// The format of toolchains 6.0 to 6.2.
    case version0

    /// Returns the format that `swift test` passes to tests.
    ///
    /// - Parameter version: The output of `swift --version`, which contains `Swift version 6.2.3
    ///   (swift-6.2.3-RELEASE)`. Without a version, the newest format is assumed.
    static func ofSwiftTest(version: [UInt8]) -> EventStreamForm {
        let mark = Array("Swift version ".utf8)
        guard let place = version.indices.first(where: { version[$0...].starts(with: mark) }) else {
            return .version63
        }
        let numbers = version[(place + mark.count)...].prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
            .split(separator: UInt8(ascii: ".")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard let major = numbers.first else { return .version63 }
        let minor = numbers.dropFirst().first ?? 0
        return (major, minor) >= (6, 3) ? .version63 : .version0
    }

    /// The options that disable the library's text output. Writing the text takes as long as writing the events.
    static let withoutText = ["--verbosity", String(Int.min)]

    /// Returns the options that write the event stream to a path.
    func arguments(writingTo path: String) -> [String] {
        switch self {
        case .version63: ["--event-stream-output-path", path, "--event-stream-version", "6.3"]
        case .version0: ["--event-stream-output-path", path, "--event-stream-version", "0"]
        }
    }
}
