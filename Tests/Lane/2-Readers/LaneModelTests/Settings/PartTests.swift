import LaneModel
import Testing

@Suite("One of several equal parts")
struct PartTests {
    @Test func parts() {
        #expect(Part("2/4")?.index == 2 && Part("2/4")?.count == 4)
        #expect(Part("1/1") != nil)
    }

    @Test(arguments: ["", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2", "1/", "/2"])
    func refused(_ text: String) {
        #expect(Part(text) == nil)
    }
}
