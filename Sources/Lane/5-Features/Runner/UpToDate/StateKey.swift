import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The key of digests that cover secrets, in `.lane/key`. Without the key, a digest cannot be compared with those of
/// guessed secrets.
enum StateKey {
    /// Reads the key. Without a key, returns a new one, which is written if `isCreated` is `true`. If it is not written,
    /// no digest matches later.
    static func read(root: String, isCreated: Bool = true) -> [UInt8] {
        let path = "\(root)/.lane/key"
        if let key = try? readRegularFile(path), !key.isEmpty { return key }
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        guard isCreated else { return key }
        try? makeDirectories("\(root)/.lane")
        let descriptor = withSystemPath(path) { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { return key }
        defer { close(descriptor) }
        key.withUnsafeBytes { bytes in _ = try? writeAll(bytes, to: descriptor, named: path) }
        return key
    }
}
