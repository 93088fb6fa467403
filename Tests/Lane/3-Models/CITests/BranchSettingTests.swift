import CI
import Testing

@Suite struct BranchSettingTests {
    @Test("A configuration gets the line of a branch, unless it has branches or is in braces")
    func configurationsGetABranch() {
        #expect(CIPlanReader.configuration("", adding: "main") == "branches: [main]\n")
        #expect(CIPlanReader.configuration("store: x", adding: "1.0") == "store: x\nbranches: ['1.0']\n")
        #expect(CIPlanReader.configuration("branches: [next]\n", adding: "main") == nil)
        #expect(CIPlanReader.configuration("{ store: x }\n", adding: "main") == nil)
    }
}
