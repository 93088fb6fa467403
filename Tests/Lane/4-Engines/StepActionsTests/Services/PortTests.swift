import CLibrary
import Expressions
import LaneModel
import OperatingSystem
import Testing

@testable import StepActions

@Suite struct PortTests {
    @Test func aFreePortIsChosenForZeroAndForContainers() throws {
        #expect(try Port.chosen(for: Settings()) == nil)
        #expect(try Port.chosen(for: Settings(["port": .integer(48_080)])) == 48_080)
        let free = try Set((0..<4).map { _ in try Port.chosen(for: Settings(["port": .integer(0)])) })
        #expect(free.count > 1 && !free.contains(0))
        let published = try Port.chosen(for: Settings(["port": .integer(5432), "image": .string("postgres")]))
        #expect(published != 5432)
    }

    @Test(arguments: [AF_INET, AF_INET6]) func aPortAcceptsConnectionsOnceAProcessListens(family: Int32) throws {
        // A process that another test starts has the socket until it executes its program, so that a chosen port may be
        // in use for a moment.
        let settings = Settings(["port": .integer(0)])
        let ports = (0..<10).lazy.compactMap { _ in try? Port.chosen(for: settings) }
        let port = try #require(ports.first { !Port.isUsed($0) })
        #expect(!Port.accepts(port))
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        // Some machines have no IPv6.
        guard descriptor >= 0 || family == AF_INET else { return }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var address6 = sockaddr_in6()
        address6.sin6_family = sa_family_t(AF_INET6)
        address6.sin6_port = address.sin_port
        address6.sin6_addr = in6addr_loopback
        func isBound<Address>(to address: Address) -> Bool {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
                }
            }
        }
        guard family == AF_INET ? isBound(to: address) : isBound(to: address6) else {
            try #require(family == AF_INET6 && errno == EADDRNOTAVAIL)
            return
        }
        try #require(listen(descriptor, 4) == 0)
        #expect(Port.accepts(port))
        #expect(Port.isUsed(port))
        for settings in [["port": Value.integer(port)], ["port": .integer(port), "ready-command": .string("true")]] {
            let error = #expect(throws: OperationFailure.self) { try Port.chosen(for: Settings(settings)) }
            #expect(error?.message.hasPrefix("port \(port) is already in use") == true)
        }
    }
}
