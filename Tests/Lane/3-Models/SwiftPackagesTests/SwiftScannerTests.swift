import SwiftPackages
import Testing

/// Source texts of other people that are no valid code. A scan of them ends, and soon.
@Suite struct SwiftScannerTests {
    private func tokens(_ text: String) -> [SwiftToken] { SwiftScanner.tokens(of: Array(text.utf8)[...]) }

    @Test func nestedInterpolationsAreCode() {
        let nested = tokens(#"let a = "x\(b("y\(c)"))""#)
        guard case .literal(let pieces, _)? = nested.last, case .code(let inner)? = pieces.dropFirst().first,
            case .literal(let innermost, _)? = inner.dropFirst(2).first
        else {
            Issue.record("expected a literal in an interpolation, found \(nested)")
            return
        }
        #expect(innermost == [.text("y"), .code([.word("c")]), .text("")])
    }

    @Test(arguments: [#""\("#, #""""\("#, "#", "##\"", "/*", "(", #""\"#])
    func anyTextIsScannedToItsEnd(_ part: String) {
        let repeated = String(repeating: part, count: 100_000)
        #expect(tokens(repeated).count <= 100_000)
        #expect(tokens("first \(repeated)").first == .word("first"))
    }
}
