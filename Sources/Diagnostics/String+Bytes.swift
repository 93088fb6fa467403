extension String {
    /// Lends the bytes of its UTF-8, without the copy and the reference that `withUTF8` takes for a text that may change.
    ///
    /// Inlinable, as a generic function of another module looks up its types at every call otherwise.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        // Only one that comes from Objective-C may be stored otherwise.
        var text = self
        return text.withUTF8(body)
    }
}
