import CLibrary
import OperatingSystem
import Testing

@Suite struct RemoteFileSystemsTests {
    @Test(arguments: [
        ("shared:1 - nfs4 server:/ rw", true), ("- 9p C:\\134 rw,aname=drvfs", true), ("- fuse.sshfs host: rw", true),
        ("- virtiofs mount0 rw", true), ("master:1 propagate_from:2 - cifs //server/share rw", true),
        ("- ext4 /dev/sda1 rw", false), ("- overlay overlay rw", false), ("- fuseblk /dev/sdb1 rw", false), ("", false),
    ])
    func typesOfFileSystems(end: String, isRemote: Bool) throws {
        var status = stat()
        try #require(stat("/", &status) == 0)
        let device = UInt64(truncatingIfNeeded: status.st_dev)
        let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
        let other = "22 1 \(major):\(minor + 1) / /other rw - nfs4 server:/ rw\n"
        let systems = RemoteFileSystems(mounts: other + "27 1 \(major):\(minor) / /a\\040b rw,relatime \(end)\n")
        #expect(systems.contain("/") == isRemote)
    }
}
