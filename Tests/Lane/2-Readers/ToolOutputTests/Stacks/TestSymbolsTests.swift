import Testing

@testable import ToolOutput

/// The output of the LLVM tools of Swift 6.3 for packages with XCTest.
@Suite struct TestSymbolsTests {
    @Test func methodsAreFunctionsWithoutParametersWhoseNamesBeginWithTest() {
        let symbols = TestSymbols(
            nm: Array(
                """
                                 U $s6XCTest0A4CaseC7measure4file4line5blockys12StaticStringV_SiyyXEtF
                0000000000052540 T $s12XCTDemoTests04MathB0C11testMeasureyyF
                0000000000052600 t $s12XCTDemoTests04MathB0C9testAsyncyyYaKF
                0000000000052610 t $s12XCTDemoTests04MathB0C9testAsyncyyYaKFTY0_
                0000000000052700 T $s12XCTDemoTests04MathB0C6helperyyF
                0000000000044390 T $s9EdgeTests8StopSelfC4name11testClosureACSS_y6XCTest0H4CaseCKctcfC
                0000000000066438 b $s9EdgeTests8StopSelfC5testZyyF
                0000000000001000 T main
                """.utf8))
        #expect(symbols.measures)
        #expect(
            symbols.methods.map(\.name) == ["XCTDemoTests.MathTests.testMeasure", "XCTDemoTests.MathTests.testAsync"])
        #expect(symbols.methods.map(\.address) == ["0x52540", "0x52600"])
        #expect(!TestSymbols(nm: []).measures)
    }

    @Test func placesAreThoseOfTheDeclarations() {
        let entry = """
            {"Address":"0x44320","ModuleName":"/p/X.xctest","Symbol":[{"Column":0,"Discriminator":0,\
            "FileName":"/p/A.swift","FunctionName":"$s","Line":9,"StartAddress":"0x44320",\
            "StartFileName":"/p/A.swift","StartLine":8}]}
            """
        let unknown = #"{"Address":"0x1","ModuleName":"/p/X.xctest","Symbol":[{"FileName":"","Line":0}]}"#
        for text in [entry, "[\(entry),\(unknown)]\n", "\(entry)\n\(unknown)\nno JSON\n"] {
            let places = TestSymbols.places(symbolizer: Array(text.utf8))
            #expect(places.count == 1)
            #expect(places["0x44320"]?.path == "/p/A.swift" && places["0x44320"]?.line == 8)
        }
    }

    @Test func functionsThatMeasureAreFoundByTheirCalls() {
        let text = """

            /p/X.xctest:\tfile format elf64-x86-64

            Disassembly of section .text:

            0000000000052540 <$s1M1CC9testSpeedyyF>:
               52577:      \tcallq\t0xecd0 <$s6XCTest0A4CaseC7measure4file4line5blockys12StaticStringV_SiyyXEtF@plt>
               5257c:      \tretq

            0000000000052580 <$s1M1CC9testPlainyyF>:
               52590:      \tcallq\t0xecd0 <$s1M1CC7measureyyF>
            """
        #expect(TestSymbols.measuring(objdump: Array(text.utf8)) == ["$s1M1CC9testSpeedyyF"])
    }
}
