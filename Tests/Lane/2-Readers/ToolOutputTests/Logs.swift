import TestSupport

/// The recorded logs in the directory of the goldens.
enum Logs {
    static let directory = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/Golden/logs"

    static func bytes(_ name: String) throws -> [UInt8] { try contents(of: "\(directory)/\(name)") }

    static let all: [String] = (try? entries(of: directory)) ?? []
}

extension [UInt8] {
    /// Returns chunks of a given size, as from a pipe.
    func chunks(of size: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
