import Testing

@testable import TestEngine

@Suite struct EventStreamFormTests {
    /// `swift test` rejects the version of another toolchain before it runs tests.
    @Test(arguments: [
        ("Swift version 6.3.1 (swift-6.3.1-RELEASE)\nTarget: x86_64-unknown-linux-gnu\n", EventStreamForm.version63),
        ("Swift version 6.2.3 (swift-6.2.3-RELEASE)\n", .version0), ("Swift version 6.0 (x)", .version0),
        ("swift-driver version: 1.127.14.1 Apple Swift version 6.2 (swiftlang-6.2.0.19.9)\n", .version0),
        ("Swift version 6.10-dev (LLVM a1, Swift b2)\n", .version63), ("Swift version 7.0\n", .version63),
        ("Swift version next\n", .version63), ("", .version63),
    ])
    func theFormIsThatOfTheToolchain(version: String, form: EventStreamForm) {
        #expect(EventStreamForm.ofSwiftTest(version: Array(version.utf8)) == form)
    }
}
