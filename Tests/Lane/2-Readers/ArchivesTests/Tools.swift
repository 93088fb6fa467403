import CLibrary
import TestSupport

/// Runs a shell script, such as calls of the system's `tar` and `unzip`, and returns its output.
func shell(_ script: String, in directory: String) throws -> String {
    guard let pipe = popen("cd '\(directory)' && { \(script); } 2>&1", "r") else { throw POSIXFailure("popen", errno) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
    let status = pclose(pipe)
    let text = String(decoding: bytes, as: UTF8.self)
    guard status == 0 else { throw ToolFailure(script: script, output: text) }
    return text
}

struct ToolFailure: Error {
    let script: String
    let output: String
}
