extension String {
    /// Calls `body` with the UTF-8 code units, without the copy that the mutating `withUTF8` may need.
    ///
    /// Inlinable, so that other modules call a specialized version.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        // Only a bridged Objective-C string may have no contiguous storage.
        var text = self
        return text.withUTF8(body)
    }
}
