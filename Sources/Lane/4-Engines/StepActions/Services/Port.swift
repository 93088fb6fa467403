import LaneModel
import OperatingSystem

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
        guard port == 0 || settings["image"] != nil else { return port }
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
