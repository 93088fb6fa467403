import OperatingSystem

/// The build products that tests may use at run time: programs, libraries and resource bundles.
struct BuildProducts {
    /// The names of programs and shared libraries.
    let programs: [String]
    /// The names of directories with resources.
    let bundles: [String]

    /// - Parameter directory: The directory of the products. It has no subdirectories for products in both build
    ///   systems.
    init(in directory: String) {
        let names = (try? listDirectory(directory)) ?? []
        bundles = names.filter { name in
            (name.hasSuffix(".resources") || name.hasSuffix(".bundle")) && isDirectory("\(directory)/\(name)")
        }
        // Names that end with `-tool` are those of macros and plugins, which only compilers run.
        programs = names.filter { name in
            !name.hasSuffix("-tool") && fileKind("\(directory)/\(name)") == .file
                && Self.isLoadable("\(directory)/\(name)")
        }
    }

    /// Returns a Boolean value that indicates whether a file is an ELF program or shared library, but not an object
    /// file.
    private static func isLoadable(_ path: String) -> Bool {
        guard let head = try? readStart(of: path, 18), head.count == 18,
            head.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")])
        else { return false }
        // The type of the file: 2 is an executable, 3 a shared object or a position-independent executable.
        return head[16] == 2 || head[16] == 3
    }
}
