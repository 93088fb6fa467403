package import Expressions
import LaneModel
package import OperatingSystem
import Text

/// The files to which a command writes outputs and environment variables for later steps.
///
/// The format is that of `GITHUB_OUTPUT`: a line is `name=value`, or `name<<END` before the lines of a value and a line
/// `END`. `END` can be any word.
package struct StepOutputFile {
    /// The environment variable with the path of the file.
    package static let variable = "LANE_OUTPUT"
    /// The environment variable with the path of the file for environment variables.
    package static let environmentVariable = "LANE_ENV"
    /// The first character of an output that is an environment variable of later steps. No expression can read it.
    package static let environmentMark: Character = "$"
    /// The maximum size of a file in bytes.
    package static let maximumSize = 1 << 20

    private let file: StepScratchFile
    package var path: String { file.path }
    /// The path of the file for environment variables, which the command creates.
    package var environmentPath: String { "\(parentDirectory(path))/environment" }

    /// Creates an empty file.
    package init(below root: String, for environment: [String: String]) throws(FileError) {
        file = try StepScratchFile("output", below: root, for: environment)
    }

    package func remove() {
        file.remove()
    }

    /// Returns the outputs and the environment variables, whose names start with `environmentMark`.
    package func read() throws(OperationFailure) -> [String: Value] {
        var results = try Self.read(path, Self.variable)
        try Self.check(results.keys)
        for (name, value) in try Self.read(environmentPath, Self.environmentVariable) {
            guard !name.hasPrefix("LANE_") else {
                throw OperationFailure(
                    "\(Self.environmentVariable) holds '\(name)', and variables of 'lane' itself cannot be changed\n"
                        + "hint: use a name without 'LANE_' at its start")
            }
            guard Self.isVariable(name) else {
                throw OperationFailure(
                    "\(Self.environmentVariable) holds '\(name)', which is not a valid name of a variable\n"
                        + "hint: use letters, digits and '_'")
            }
            results["\(Self.environmentMark)\(name)"] = value
        }
        return results
    }

    /// Throws if the name of an output is not a name in expressions. It could be that of an environment variable.
    package static func check(_ names: some Collection<String>) throws(OperationFailure) {
        guard let name = names.sorted().first(where: { !Expression.isName($0) }) else { return }
        throw OperationFailure("'\(name)' is not a valid name of an output\nhint: use letters, digits, '-' and '_'")
    }

    /// Returns a Boolean value that indicates whether a name can be that of a variable.
    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, !first.isDigit else { return false }
        return name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    }

    /// Returns the values in a file, or no values if the file does not exist.
    private static func read(_ path: String, _ variable: String) throws(OperationFailure) -> [String: Value] {
        guard fileKind(path) != nil else { return [:] }
        let bytes = try convertingFileErrors(of: fileSize(path) <= maximumSize ? readFile(path) : nil)
        guard let bytes else {
            throw OperationFailure(
                "\(variable) holds more than \(maximumSize / 1024) KiB\nhint: write it to a file, and output the file's name"
            )
        }
        return try parse(bytes, of: variable)
    }

    package static func parse(
        _ bytes: [UInt8], of variable: String = StepOutputFile.variable
    ) throws(OperationFailure) -> [String: Value] {
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
                guard !word.isEmpty else { throw failure(variable, index, "expected a word after '<<', found none") }
                guard let end = lines[index...].firstIndex(of: word) else {
                    throw failure(
                        variable, index, "expected a line '\(text(word))' at the end of the value, found none")
                }
                outputs[text(line[..<opening])] = .string(text(Array(lines[index..<end].joined(separator: "\n".utf8))))
                index = end + 1
            } else if let equals, equals > line.startIndex {
                guard line.first?.isBlank == false, !line[equals - 1].isBlank else {
                    throw failure(
                        variable, index,
                        "expected 'name=value' without spaces, found '\(text(line[...equals].prefix(60)))'")
                }
                outputs[text(line[..<equals])] = .string(text(line[(equals + 1)...]))
            } else {
                throw failure(variable, index, "expected 'name=value', found '\(text(line.prefix(60)))'")
            }
        }
        return outputs
    }

    private static func failure(_ variable: String, _ line: Int, _ message: String) -> OperationFailure {
        OperationFailure("line \(line) of \(variable): \(message)")
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
