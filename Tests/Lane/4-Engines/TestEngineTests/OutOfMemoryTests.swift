import Testing

@testable import TestEngine

@Suite struct OutOfMemoryTests {
    @Test(arguments: [
        ("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n", 2),
        ("oom_kill_disable 0\nunder_oom 0\noom_kill 7\n", 7), ("oom_kill_disable 0\nunder_oom 0\n", nil), ("", nil),
    ])
    func killsAreCounted(_ text: String, _ count: Int?) {
        #expect(OutOfMemory.kills(in: text) == count)
    }
}
