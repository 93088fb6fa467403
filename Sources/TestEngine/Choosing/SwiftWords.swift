import ASCII

extension RandomAccessCollection<UInt8> {
    /// The names, keywords and numbers of a Swift source, for those that read words and not Swift. Whatever is not ASCII
    /// counts as a letter.
    var swiftWords: [SubSequence] { split { !$0.isOfName && $0 < 0x80 } }
}
