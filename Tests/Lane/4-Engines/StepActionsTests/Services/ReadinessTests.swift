import Testing

@testable import StepActions

@Suite struct ReadinessTests {
    @Test(
        "The line of a ready service may have colors and links",
        arguments: [
            ("ready on port", "ready on port"),
            ("\u{1B}[32mready\u{1B}[0m on \u{1B}[1;4mport\u{1B}[m", "ready on port"),
            ("\u{1B}]8;;http://localhost\u{7}ready\u{1B}]8;;\u{1B}\\ on port", "ready on port"),
            ("\u{1B}[2K\rready on port\u{1B}", "\rready on port"),
        ])
    func withoutEscapes(text: String, plain: String) {
        #expect(LineSearch.withoutEscapes(text) == plain)
    }
}
