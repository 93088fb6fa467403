import CLibrary

/// The file systems of this process whose files other machines can change. Linux reports only changes made on this one.
package struct RemoteFileSystems: Sendable {
    private static let types: Set<Substring> = [
        "9p", "afs", "ceph", "cifs", "drvfs", "fuse", "nfs", "nfs4", "prl_fs", "smb3", "vboxsf", "virtiofs",
    ]

    private let devices: Set<UInt64>

    /// Finds the mounted file systems. On macOS, there are none.
    package init() { self.init(mounts: (try? readText("/proc/self/mountinfo")) ?? "") }

    /// Reads a table of mounted file systems.
    ///
    /// - Parameter mounts: A table in the format of `/proc/self/mountinfo`.
    package init(mounts: String) {
        let devices = mounts.split(separator: "\n").compactMap { line -> UInt64? in
            let fields = line.split(separator: " ")
            // The number of fields before the mark varies.
            guard let mark = fields.firstIndex(of: "-"), mark > 5, mark + 1 < fields.count,
                let type = fields[mark + 1].split(separator: ".").first, Self.types.contains(type)
            else { return nil }
            let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
            guard numbers.count == 2 else { return nil }
            let (major, minor) = (numbers[0], numbers[1])
            // As in the macro `makedev`.
            return (major & ~0xFFF) << 32 | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | minor & 0xFF
        }
        self.devices = Set(devices)
    }

    /// Returns a Boolean value that indicates whether a file or directory is in one of the file systems.
    package func contain(_ path: String) -> Bool {
        var status = stat()
        guard !devices.isEmpty, withSystemPath(path, { stat($0, &status) }) == 0 else { return false }
        return devices.contains(UInt64(truncatingIfNeeded: status.st_dev))
    }
}
