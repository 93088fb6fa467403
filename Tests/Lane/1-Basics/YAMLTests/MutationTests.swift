import TestSupport
import Testing
import Text
import YAML

@Suite struct MutationTests {
    private static let seeds = SpecificationTests.valid.map { Array($0.text.utf8) }
    private static let pieces: [[UInt8]] =
        [
            ":", "- ", "\n", "  ", "\t", "&a ", "*a", "'", "\"", "|", ">", "[", "]", "{", "}", "#", "? ", "---\n",
            "...", "!!str ", "%",
            "\\", "\u{FEFF}", "\0", "${{ x }}",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x80]]

    /// Specification examples with bytes replaced, removed, inserted or duplicated.
    private static let mutants = Generator<[UInt8]> { source in
        var bytes = seeds[Int(source.draw(upTo: UInt64(seeds.count - 1)))]
        for _ in 0..<source.draw(upTo: 8) {
            let index = Int(source.draw(upTo: UInt64(bytes.count)))
            switch source.draw(upTo: 3) {
            case 0: if index < bytes.count { bytes.remove(at: index) }
            case 1: if index < bytes.count { bytes[index] = UInt8(source.draw(upTo: 255)) }
            case 2: bytes.insert(contentsOf: pieces[Int(source.draw(upTo: UInt64(pieces.count - 1)))], at: index)
            default:
                let other = Int(source.draw(upTo: UInt64(bytes.count)))
                bytes += bytes[min(index, other)..<max(index, other)]
            }
        }
        return bytes
    }

    @Test func noInputTrapsAndRangesAreInBounds() {
        checkProperty("YAML survives mutation", mutants, cases: 3000) { bytes in
            let file = SourceFile(path: "x.yml", bytes: bytes)
            let (node, diagnostics) = YAMLParser.parse(file)
            for diagnostic in diagnostics.all {
                guard let range = diagnostic.span?.range, range.lowerBound >= 0, range.upperBound <= bytes.count else {
                    return false
                }
            }
            _ = DiagnosticText().text(for: diagnostics)
            var isInside = true
            node?.visit { node in
                guard let span = node.span, span.range.lowerBound >= 0, span.range.upperBound <= bytes.count else {
                    isInside = false
                    return
                }
                guard let length = node.scalar?.text.utf8.count, let map = ScalarSourceMap(node) else { return }
                for offset in 0..<length where map.span(of: offset..<offset + 1).range.upperBound > bytes.count {
                    isInside = false
                }
            }
            return isInside
        }
    }

    private var mutants: Generator<[UInt8]> { Self.mutants }
}
