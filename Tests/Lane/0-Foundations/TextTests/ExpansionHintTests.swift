import Testing
import Text

@Suite struct ExpansionHintTests {
    @Test(arguments: ["~", "~/a", "$HOME", "$HOME/a", "${HOME}/a", "$_a"])
    func isGivenForAPathThatAShellExpands(_ path: String) {
        #expect(path.expansionHint == "no shell expands it; write the whole path")
    }

    @Test(arguments: ["", "a", "/a", "./~/a", "a/~/b", "~a", "~$a.doc", "./$a", "$", "$1", "$/a", "-"])
    func isNotGivenForAnyOtherPath(_ path: String) {
        #expect(path.expansionHint == nil)
    }
}
