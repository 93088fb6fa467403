import OperatingSystem
import Testing

@Suite struct ToolRequirementTests {
    @Test(arguments: [
        ("6.2", "Swift version 6.2.1", true), ("6.2", "Swift version 6.3", false),
        (">= 6.2", "git version 6.10.0", true),
        (">=6.2", "6.1.9", false),
    ])
    func versionsAreCompared(requirement: String, line: String, isMet: Bool) {
        #expect(ToolRequirement(requirement)?.isMet(by: line) == isMet)
    }

    @Test(arguments: ["> 6.2", "= 6.2", "~> 6.2", "6.x", "", ">= "])
    func otherRequirementsAreRefused(text: String) {
        #expect(ToolRequirement(text) == nil)
    }
}
