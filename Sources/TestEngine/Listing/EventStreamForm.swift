import ASCII

/// How a binary's Swift Testing writes its event stream, newest first.
enum EventStreamForm: String, Sendable, CaseIterable {
    /// Toolchain 6.3 and later: warnings and absolute paths.
    case version6_3
    /// Toolchains 6.0 to 6.2.
    case version0
    /// The same in Swift 5.10, under the options' first names.
    case experimental

    /// The form that `swift test` itself passes on to the tests; `nil` before Swift 6.0, whose `swift test` knows none.
    ///
    /// - Parameter version: What `swift --version` prints: `Swift version 6.2.3 (swift-6.2.3-RELEASE)`, on a line of its
    ///   own or behind the driver's. A version that is not there is taken for a new one.
    static func ofSwiftTest(version: [UInt8]) -> EventStreamForm? {
        let mark = Array("Swift version ".utf8)
        guard let place = version.indices.first(where: { version[$0...].starts(with: mark) }) else {
            return .version6_3
        }
        let numbers = version[(place + mark.count)...].prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
            .split(separator: UInt8(ascii: ".")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard let major = numbers.first else { return .version6_3 }
        let minor = numbers.dropFirst().first ?? 0
        if (major, minor) >= (6, 3) { return .version6_3 }
        return major >= 6 ? .version0 : nil
    }

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
