import Processes
import Synchronization
import Testing
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct ProcessorsTests {
    @Test func aThreadBesideAnotherMayRunWhereThatMay() throws {
        let seen = Mutex(0)
        let thread = try #require(Thread.beside { seen.withLock { $0 = availableProcessors } })
        thread.join()
        #expect(seen.withLock { $0 } == availableProcessors)
    }

    @Test func aThreadWithoutSignalsHearsNone() throws {
        let before = blockedSignals()
        let heard = Mutex([SIGTERM])
        let thread = try #require(
            Thread.withoutSignals {
                Thread { heard.withLock { $0 = [SIGINT, SIGTERM, SIGHUP].filter { !blockedSignals().contains($0) } } }
            })
        thread.join()
        #expect(heard.withLock { $0 } == [])
        #expect(blockedSignals() == before)
    }
}

private func blockedSignals() -> [Int32] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return (1..<32).filter { sigismember(&mask, $0) == 1 }
}
