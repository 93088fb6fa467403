import CLibrary
package import Testing
import Text

/// Compares a text with the file `Golden/<name>` beside the calling test file.
///
/// Records an issue with the different lines if they differ. With `UPDATE_GOLDEN=1` in the environment, it also rewrites
/// the file, and the test fails, so that an update is not mistaken for a check. The test target needs
/// `exclude: ["Golden"]` in the manifest.
package func expectGolden(
    _ text: String, _ name: String, filePath: String = #filePath,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    let directory = filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    expectFile("\(directory)/Golden/\(name)", toContain: text, sourceLocation: sourceLocation)
}

/// Compares a text with a file as `expectGolden` does.
package func expectFile(
    _ path: String, toContain text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    let updates = getenv("UPDATE_GOLDEN").map { String(cString: $0) } == "1"
    if let mismatch = goldenMismatch(text, path, updates: updates) {
        Issue.record("\(mismatch)", sourceLocation: sourceLocation)
    }
}

/// Returns a message for a text that differs from the golden file, or `nil` if it does not.
package func goldenMismatch(_ text: String, _ path: String, updates: Bool) -> String? {
    let expected = (try? contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
    if expected == text { return nil }
    let name = path.split(separator: "/").suffix(2).joined(separator: "/")
    if updates {
        do {
            try replaceFile(path, with: text)
            return "\(name) was rewritten; look at the change and run again"
        } catch {
            return "\(name) could not be rewritten: \(error)"
        }
    }
    guard let expected else { return "there is no \(name); UPDATE_GOLDEN=1 makes it" }
    return "differs from \(name) (UPDATE_GOLDEN=1 rewrites it)\n\(lineDifference(from: expected, to: text))"
}

/// Returns the lines that differ, as `diff -u` does, or an empty string. Control characters and trailing blanks are
/// visible.
package func lineDifference(from expected: String, to found: String) -> String {
    func shown(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { visible(String($0)) }.joined(separator: "\n")
    }
    return UnifiedDiff(from: shown(expected), to: shown(found)).text("text")
}

/// Returns the line with visible control characters and trailing blanks.
private func visible(_ line: String) -> String {
    var text = ""
    for scalar in line.unicodeScalars {
        text += scalar.value < 0x20 || scalar.value == 0x7F ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    let kept = text.reversed().drop { $0 == " " }
    return String(kept.reversed()) + String(repeating: "·", count: text.count - kept.count)
}

private func replaceFile(_ path: String, with text: String) throws {
    let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    mkdir(directory, 0o755)
    guard let file = fopen(path + ".new", "w") else { throw POSIXFailure("fopen \(path).new", errno) }
    let count = text.utf8.count
    let written = Array(text.utf8).withUnsafeBytes { fwrite($0.baseAddress, 1, count, file) }
    guard fclose(file) == 0, written == count else { throw POSIXFailure("write \(path).new", errno) }
    guard rename(path + ".new", path) == 0 else { throw POSIXFailure("rename \(path)", errno) }
}
