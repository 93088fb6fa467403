import CLibrary
import LaneModel
import OperatingSystem
import Text

/// Functions for the TCP port of a service at 127.0.0.1.
enum Port {
    /// Returns the port of a service: a free port for 0 and for a container; otherwise, the port in the settings; `nil` if
    /// the settings contain no port.
    static func chosen(for settings: Settings) throws(OperationFailure) -> Int? {
        guard let port = settings.integer("port") else { return nil }
        guard port == 0 || settings["image"] != nil else {
            guard !isUsed(port) else {
                throw OperationFailure(
                    status: ExitStatus.refused.rawValue,
                    "port \(port) is already in use, so the service cannot listen on it\n"
                        + "hint: end the program that uses it, or set 'port: 0' and let the service listen on $PORT")
            }
            return port
        }
        guard let free else { throw OperationFailure("there is no free port") }
        return free
    }

    /// An unused port.
    private static var free: Int? {
        withSocket(AF_INET) { descriptor -> Int? in
            var address = loopback(0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
                }
            }
            return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
        }
    }

    /// Returns a Boolean value that indicates whether a program listens on a port of this machine, which would be
    /// mistaken for the service. Connections of a program that has ended do not count.
    static func isUsed(_ port: Int) -> Bool {
        switch bindError(AF_INET, loopback(port)) {
        case EADDRINUSE: return true
        // Only root may bind a low port.
        case EACCES: return accepts(port)
        default: return bindError(AF_INET6, loopback6(port)) == EADDRINUSE
        }
    }

    /// Returns the error of an attempt to bind an address, or 0.
    private static func bindError<Address>(_ family: Int32, _ address: Address) -> Int32 {
        withSocket(family) { descriptor in
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
            if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
            return withPointer(to: address) { bind(descriptor, $0, $1) == 0 ? 0 : errno }
        } ?? errno
    }

    /// Returns a Boolean value that indicates whether a service accepts connections, at 127.0.0.1 or at ::1.
    ///
    /// The proxy of a container engine accepts connections before the container does, and closes them at once. Only a
    /// connection that stays open for a moment or receives data is a connection to the service.
    static func accepts(_ port: Int) -> Bool {
        accepts(AF_INET, loopback(port)) || accepts(AF_INET6, loopback6(port))
    }

    private static func accepts<Address>(_ family: Int32, _ address: Address) -> Bool {
        withSocket(family) { descriptor in
            guard withPointer(to: address, { connect(descriptor, $0, $1) == 0 }) else { return false }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else { return true }
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) > 0
        } ?? false
    }

    /// Calls `body` with a socket. Returns `nil` if there is none, such as without IPv6.
    private static func withSocket<Value>(_ family: Int32, _ body: (Int32) -> Value?) -> Value? {
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return body(descriptor)
    }

    private static func withPointer<Address, Value>(
        to address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func loopback6(_ port: Int) -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(port).bigEndian
        address.sin6_addr = in6addr_loopback
        return address
    }
}
