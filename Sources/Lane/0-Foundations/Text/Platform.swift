/// The platform that this program was compiled for, as lane files, records and archives of tests name it.
///
/// The names of packages come from `Toolchain.platform`, because its triple states the processor of the target:
/// `linux-aarch64`.
package enum Platform {
    /// The operating system: `linux`, `macos` or `other`.
    package static var system: String {
        #if os(Linux)
            "linux"
        #elseif os(macOS)
            "macos"
        #else
            "other"
        #endif
    }

    /// The architecture of the processor: `x86_64`, `arm64` or `other`.
    package static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "other"
        #endif
    }

    /// The system and the architecture: `linux-x86_64`.
    package static var name: String { "\(system)-\(architecture)" }
}
