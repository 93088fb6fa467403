package import Events

/// A summary of the stacks of a process. It shows the threads in the package's code, threads of a test first and
/// marked, and folds the frames of libraries.
package struct StackSummary {
    private let threads: [Thread]
    private let idleThreads: Int
    /// A Boolean value that indicates whether any test is expected on a stack.
    private let hasTests: Bool

    private struct Thread {
        let frames: [NamedFrame]
        let isInTest: Bool
    }

    /// The maximum number of different stacks, and of frames in each stack.
    private static let threadLimit = 8
    private static let frameLimit = 16

    /// Creates a summary.
    ///
    /// - Parameters:
    ///   - products: The directory of the package's products. Its programs and libraries belong to the package.
    ///   - root: The directory of the package, to which locations are relative.
    ///   - tests: The tests to mark.
    package init(_ stacks: [ThreadStack], products: String, root: String, tests: [TestID]) {
        let named = stacks.map { stack in stack.frames.map { NamedFrame($0, products: products, root: root) } }
        let own = named.filter { $0.contains(where: \.isOwn) }
        // A test method may be inherited, and its frame then names another class.
        let chosen = [true, false].lazy.map { isPrecise in
            own.map { frames in tests.contains { test in frames.contains { $0.isIn(test, precisely: isPrecise) } } }
        }.first { $0.contains(true) }
        let threads = own.indices.map { Thread(frames: own[$0], isInTest: chosen?[$0] ?? false) }
        self.threads = threads.filter(\.isInTest) + threads.filter { !$0.isInTest }
        idleThreads = stacks.count - own.count
        hasTests = !tests.isEmpty
    }

    /// Returns the names of the package's functions on stacks.
    package static func functions(on stacks: [ThreadStack], products: String, root: String) -> [String] {
        let frames = stacks.flatMap(\.frames).map { NamedFrame($0, products: products, root: root) }
        return frames.filter(\.isOwn).map(\.name)
    }

    /// A Boolean value that indicates whether a thread is in one of the tests.
    package var isInTest: Bool { threads.contains(where: \.isInTest) }

    /// The lines of text. The frames of a thread are indented, innermost first.
    package var lines: [String] {
        var lines: [String] = []
        if hasTests, !isInTest {
            lines.append("no thread is in the test: it waits at an 'await', and a suspended task has no stack")
        }
        let stacks = equalStacks
        for stack in stacks.prefix(Self.threadLimit) {
            let number = stack.count == 1 ? "a thread" : "\(stack.count) threads"
            lines.append(
                !hasTests ? "\(number):" : stack.isInTest ? "\(number) in the test:" : "\(number) beside the test:")
            lines += stack.lines
        }
        let rest = stacks.dropFirst(Self.threadLimit).reduce(0) { $0 + $1.count }
        if rest > 0 { lines.append("\(rest) more threads in the package's code") }
        let others = idleThreads == 1 ? "1 other thread is" : "\(idleThreads) other threads are"
        if idleThreads > 0 { lines.append("\(others) outside the package's code") }
        return lines
    }

    /// The threads, grouped by equal stacks.
    private var equalStacks: [(lines: [String], isInTest: Bool, count: Int)] {
        var stacks: [(lines: [String], isInTest: Bool, count: Int)] = []
        for thread in threads {
            let lines = Self.lines(of: thread)
            if let known = stacks.firstIndex(where: { $0.lines == lines }) {
                stacks[known].count += 1
            } else {
                stacks.append((lines, thread.isInTest, 1))
            }
        }
        return stacks
    }

    private static func lines(of thread: Thread) -> [String] {
        var lines: [String] = []
        let own = thread.frames.indices.filter { thread.frames[$0].isOwn }
        var folded: ArraySlice<NamedFrame> = []
        for (index, frame) in thread.frames[...(own.last ?? -1)].enumerated() {
            guard frame.isOwn else {
                folded = thread.frames[(folded.isEmpty ? index : folded.startIndex)...index]
                continue
            }
            lines += line(of: folded)
            folded = []
            let mark = thread.isInTest ? ">" : " "
            lines.append("\(mark) \(frame.name)\(frame.location.map { " at \($0)" } ?? "")")
        }
        guard lines.count > frameLimit else { return lines }
        let omitted = lines.count - frameLimit
        return lines.prefix(frameLimit / 2) + ["  … \(omitted) more frames"] + lines.suffix(frameLimit / 2)
    }

    /// Returns the line for the frames of libraries: the function that the package called, and the number of others.
    private static func line(of folded: ArraySlice<NamedFrame>) -> [String] {
        guard let called = folded.last else { return [] }
        let others = folded.count == 1 ? "" : " and \(folded.count - 1) more"
        return ["  … \(called.name)\(others)"]
    }
}
