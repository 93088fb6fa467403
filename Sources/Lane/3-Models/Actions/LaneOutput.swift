package import Expressions
import LaneModel
package import OperatingSystem

/// A file to which a command writes outputs for later steps.
///
/// The format is that of `GITHUB_OUTPUT`: a line is `name=value`, or `name<<END` before the lines of a value and a line
/// `END`. `END` can be any word.
package struct LaneOutput {
    /// The environment variable with the path of the file.
    package static let variable = "LANE_OUTPUT"
    /// The maximum size of the file in bytes.
    package static let maximumSize = 1 << 20

    private let file: StepFile
    package var path: String { file.path }

    /// Creates an empty file.
    package init(below root: String, for environment: [String: String]) throws(FileError) {
        file = try StepFile("output", below: root, for: environment)
    }

    package func remove() {
        file.remove()
    }

    /// Returns the outputs in the file, or no outputs if the command removed the file.
    package func read() throws(OperationFailure) -> [String: Value] {
        guard fileKind(path) != nil else { return [:] }
        let bytes: [UInt8]?
        do {
            bytes = try fileSize(path) <= Self.maximumSize ? readRegularFile(path) : nil
        } catch {
            throw OperationFailure(error.description)
        }
        guard let bytes else {
            throw OperationFailure(
                "\(Self.variable) holds more than \(Self.maximumSize / 1024) KiB\nhint: write it to a file, and output the file's name"
            )
        }
        return try Self.parse(bytes)
    }

    package static func parse(_ bytes: [UInt8]) throws(OperationFailure) -> [String: Value] {
        var outputs: [String: Value] = [:]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(withoutReturn)
        var index = 0
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.isEmpty { continue }
            let equals = line.firstIndex(of: UInt8(ascii: "="))
            let opening = line.indices.dropLast().first { line[$0...].starts(with: "<<".utf8) }
            if let opening, opening > line.startIndex, opening < equals ?? line.endIndex {
                let word = line[(opening + 2)...]
                guard !word.isEmpty else { throw failure(index, "expected a word after '<<', found none") }
                guard let end = lines[index...].firstIndex(of: word) else {
                    throw failure(index, "expected a line '\(text(word))' at the end of the value, found none")
                }
                outputs[text(line[..<opening])] = .string(text(Array(lines[index..<end].joined(separator: "\n".utf8))))
                index = end + 1
            } else if let equals, equals > line.startIndex {
                outputs[text(line[..<equals])] = .string(text(line[(equals + 1)...]))
            } else {
                throw failure(index, "expected 'name=value', found '\(text(line.prefix(60)))'")
            }
        }
        return outputs
    }

    private static func failure(_ line: Int, _ message: String) -> OperationFailure {
        OperationFailure("line \(line) of \(variable): \(message)")
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
