import Testing

@testable import TestEngine

@Suite struct LineBufferingTests {
    /// `ld.so` separates the paths in `LD_PRELOAD` by spaces and colons.
    @Test(arguments: [("/a/lane.so", true), ("/my package/lane.so", false), ("/a:b/lane.so", false)])
    func pathsThatWouldBeSplitAreNotPreloaded(path: String, canPreload: Bool) {
        #expect(LineBuffering.canPreload(path) == canPreload)
    }
}
