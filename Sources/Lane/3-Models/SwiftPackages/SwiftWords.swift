import Text

extension RandomAccessCollection<UInt8> {
    /// The identifiers, keywords and numbers of Swift source code. Characters outside ASCII count as letters.
    package var swiftWords: [SubSequence] { split { !$0.isIdentifierContinuation && $0 < 0x80 } }
}
