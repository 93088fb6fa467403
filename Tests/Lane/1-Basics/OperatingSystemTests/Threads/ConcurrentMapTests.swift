import CLibrary
import OperatingSystem
import Synchronization
import Testing

@Suite struct ConcurrentMapTests {
    @Test(arguments: [-1, 0, 1, 2, 7, 2_000]) func `results are in order, each computed once`(threads: Int) {
        let calls = Mutex(Array(repeating: 0, count: 1_000))
        let squares = concurrentMap(1_000, threads: threads) { index in
            calls.withLock { $0[index] += 1 }
            return index * index
        }
        #expect(squares == (0..<1_000).map { $0 * $0 })
        #expect(calls.withLock { $0.allSatisfy { $0 == 1 } })
    }

    @Test func `a count of 0 gives an empty array`() {
        #expect(concurrentMap(0, threads: 4) { $0 }.isEmpty)
    }

    @Test func `a result may be nil`() {
        #expect(concurrentMap(3, threads: 2) { $0 == 1 ? nil : $0 } == [0, nil, 2])
    }

    @Test func `two threads work at the same time`() {
        // Each call waits for the other, so a single thread would never return.
        let arrived = Monitor(0)
        let met = concurrentMap(2, threads: 2) { _ in
            arrived.withLock { $0 += 1 }
            arrived.signalAll()
            return arrived.wait { $0 == 2 ? true : nil }
        }
        #expect(met == [true, true])
    }
}
