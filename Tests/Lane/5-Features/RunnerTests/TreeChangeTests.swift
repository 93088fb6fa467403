import CLibrary
import Events
import LaneModel
import OperatingSystem
import Runner
import TestSupport
import Testing

/// Tests that compare the up-to-date check and the watch with a complete reading of the tree after random changes.
@Suite struct TreeChangeTests {
    @Test(arguments: ["in", "in/**", "in/*", "in/**/*"])
    func aStepIsUpToDateWhileItsInputsAreUnchanged(pattern: String) {
        let changes = zip(TreeChange.generator.array(count: 1...4), TreeChange.generator.array(count: 1...2).array())
        checkProperty("inputs \(pattern) are what can be seen", changes, cases: 24) { before, rounds in
            let tree = try TreeModel()
            for change in before { tree.apply(change) }
            var known: [[UInt8]: String]?
            for round in rounds + [[]] {
                for change in round { tree.apply(change) }
                let seen = tree.observation()
                let outcome = Self.run(tree, pattern)
                guard try expectEqual(outcome == .upToDate, known == seen, "up to date after \(round)") else {
                    return false
                }
                known = seen
            }
            return true
        }
    }

    private static func run(_ tree: TreeModel, _ pattern: String) -> StepEnd.Outcome? {
        var lane = ScriptedRun()
        lane.root = tree.directory.path
        lane.keepsRecords = true
        lane.add("a", inputs: [pattern], optionalInputs: [0])
        return lane.run().record.outcomes["lane/a"]
    }

    /// The watch runs in a separate thread, so it can observe every intermediate state.
    @Test func aWatchDetectsAllVisibleChanges() {
        checkProperty("a watch sees what can be seen", TreeChange.generator.array(count: 1...15), cases: 12) {
            changes in
            let tree = try TreeModel()
            let end = Cancellation()
            let count = Monitor<Int?>(nil)
            let thread = Self.watch("\(tree.directory.path)/in", until: end) { change in
                count.withLock { $0 = change == nil ? .max : ($0 ?? -1) + 1 }
                count.signalAll()
            }
            let impatience = Thread { if !end.wait(.seconds(120)) { end.cancel() } }
            defer {
                end.cancel()
                thread?.join()
                impatience?.join()
            }
            _ = count.wait { $0 }
            var expected = 0
            var known = tree.observation()
            for change in changes {
                tree.apply(change)
                let seen = tree.observation()
                if seen == known {
                    // The watch may have been woken nevertheless, so it gets a moment to compare.
                    usleep(10_000)
                    continue
                }
                known = seen
                expected += 1
                let found = count.wait { [expected] in $0.flatMap { $0 >= expected ? $0 : nil } }
                guard try expectEqual(found, expected, "number of changes after \(change)") else { return false }
            }
            return true
        }
    }

    /// Watches in a separate thread. Reports the start as an empty change, then each change, and `nil` at the end.
    private static func watch(
        _ root: String, until end: Cancellation, _ body: @escaping @Sendable ([String]?) -> Void
    ) -> Thread? {
        Thread {
            let watch = FileWatch(root: root)
            var change: [String]? = []
            repeat {
                body(change)
                change = watch.nextChange(rest: .milliseconds(5), cancellation: end)
            } while change != nil
            body(nil)
        }
    }

    @Test func aNewEmptyDirectoryIsWatched() throws {
        let directory = try TemporaryDirectory()
        let end = Cancellation()
        let impatience = Thread { if !end.wait(.seconds(120)) { end.cancel() } }
        let changes = Monitor<[[String]?]>([])
        let thread = Self.watch(directory.path, until: end) { change in
            changes.withLock { $0.append(change) }
            changes.signalAll()
        }
        _ = changes.wait { $0.first }
        for name in ["new", "new/deep"] {
            mkdir("\(directory.path)/\(name)", 0o755)
            // Usually long enough for the watch to compare. The expectation does not depend on it.
            usleep(100_000)
        }
        try directory.write("", to: "new/deep/a.swift")
        #expect(changes.wait { $0.dropFirst().first } == ["new/deep/a.swift"])
        end.cancel()
        thread?.join()
        impatience?.join()
    }
}
