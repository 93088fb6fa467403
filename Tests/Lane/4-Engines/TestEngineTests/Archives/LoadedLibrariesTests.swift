import Testing

@testable import TestEngine

@Suite struct LoadedLibrariesTests {
    private let libraries = LoadedLibraries(
        parsing: """
            \tlinux-vdso.so.1 (0x00007ffe)
            \tlibyaml-0.so.2 => /lib/x86_64-linux-gnu/libyaml-0.so.2 (0x00007f01)
            \tlibswiftCore.so => /opt/swift/usr/lib/swift/linux/libswiftCore.so (0x00007f02)
            \tlibTesting.so => /opt/swift/usr/lib/swift/linux/libTesting.so (0x00007f03)
            \tlibShape.so => /src/.build/debug/libShape.so (0x00007f04)
            \tlibgone.so.1 => not found
            \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f05)
            \t/lib64/ld-linux-x86-64.so.2 (0x00007f06)
            """)

    @Test func theRuntimeIsTheDirectoryOfItsCore() {
        #expect(libraries.runtimeDirectory == "/opt/swift/usr/lib/swift/linux")
        #expect(libraries.names(in: "/opt/swift/usr/lib/swift/linux") == ["libTesting.so", "libswiftCore.so"])
        #expect(LoadedLibraries(parsing: "\tnot a dynamic executable").runtimeDirectory == nil)
    }

    @Test func othersBelongNeitherToTheSystemNorToTheBuild() {
        let others = libraries.others(than: ["/opt/swift/usr/lib/swift/linux", "/src/.build/debug"])
        #expect(others.map(\.name) == ["libyaml-0.so.2"])
        #expect(others.map(\.path) == ["/lib/x86_64-linux-gnu/libyaml-0.so.2"])
    }
}
