import Testing
import Text

@Suite("One of several equal parts")
struct ShardTests {
    @Test func parts() {
        #expect(Shard("2/4")?.index == 2 && Shard("2/4")?.count == 4)
        #expect(Shard("1/1") != nil)
    }

    @Test(arguments: ["", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2", "1/", "/2"])
    func refused(_ text: String) {
        #expect(Shard(text) == nil)
    }
}
