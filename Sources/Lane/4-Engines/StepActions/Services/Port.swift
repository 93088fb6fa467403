import LaneModel
import OperatingSystem
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
        withSocket { descriptor, address -> Int? in
            var address = address
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
        let number = UInt16(port).bigEndian
        var local = sockaddr_in()
        local.sin_family = sa_family_t(AF_INET)
        local.sin_port = number
        local.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var local6 = sockaddr_in6()
        local6.sin6_family = sa_family_t(AF_INET6)
        local6.sin6_port = number
        local6.sin6_addr = in6addr_loopback
        switch bindError(AF_INET, local) {
        case EADDRINUSE: return true
        // Only root may bind a low port.
        case EACCES: return accepts(port)
        default: return bindError(AF_INET6, local6) == EADDRINUSE
        }
    }

    /// Returns the error of an attempt to bind an address, or 0.
    private static func bindError<Address>(_ family: Int32, _ address: Address) -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
        return withUnsafeBytes(of: address) { bytes in
            guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return 0 }
            return bind(descriptor, pointer, socklen_t(bytes.count)) == 0 ? 0 : errno
        }
    }

    /// Returns a Boolean value that indicates whether a service accepts connections.
    ///
    /// The proxy of a container engine accepts connections before the container does, and closes them at once. Only a
    /// connection that stays open for a moment or receives data is a connection to the service.
    static func accepts(_ port: Int) -> Bool {
        withSocket(port) { descriptor, address in
            var address = address
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
            }
            guard isConnected else { return false }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else { return true }
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) > 0
        } ?? false
    }

    private static func withSocket<Value>(_ port: Int = 0, _ body: (Int32, sockaddr_in) -> Value?) -> Value? {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return body(descriptor, address)
    }
}
