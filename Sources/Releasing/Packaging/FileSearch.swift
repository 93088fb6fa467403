import Files

/// Returns a Boolean value that indicates whether a file contains a text.
func file(_ path: String, holds text: String) throws(FileError) -> Bool {
    let bytes = try readFile(path)
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    return bytes.withUnsafeBufferPointer { bytes in
        var start = 0
        while let found = bytes[start...].firstIndex(of: first) {
            if bytes[found...].starts(with: wanted) { return true }
            start = found + 1
        }
        return false
    }
}
