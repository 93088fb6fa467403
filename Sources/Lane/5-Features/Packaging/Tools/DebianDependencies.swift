import OperatingSystem
import SwiftPackages
import Text

/// The Debian packages with the shared libraries that programs need.
struct DebianDependencies {
    let tools: ToolRunner

    /// The libraries of the package `libc6`.
    private static let libc: Set<String> = [
        "ld-linux-aarch64.so.1", "ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0",
        "libresolv.so.2", "librt.so.1", "libutil.so.1",
    ]

    /// Returns the packages with their lowest versions, such as `libc6 (>= 2.34)`.
    func packages(for programs: [String]) throws(OperationFailure) -> [String] {
        var names: Set<String> = []
        var versions: [String] = []
        for program in programs {
            let bytes = try convertingFileErrors { () throws(FileError) in try readFile(program) }
            let libraries = SharedLibraries(of: bytes)
            names.formUnion(libraries.names)
            versions += libraries.symbolVersions
        }
        var packages = try names.subtracting(Self.libc).sorted().map { (name) throws(OperationFailure) in
            try package(of: name)
        }
        if !names.isDisjoint(with: Self.libc) { packages.append(Self.libcRequirement(versions)) }
        return Array(Set(packages)).sorted()
    }

    /// Returns the requirement for symbols with versions such as `GLIBC_2.34`.
    static func libcRequirement(_ versions: [String]) -> String {
        let numbers = versions.compactMap { version in
            version.hasPrefix("GLIBC_2.") ? Int(version.dropFirst(8).prefix { $0.isNumber }) : nil
        }
        return numbers.max().map { "libc6 (>= 2.\($0))" } ?? "libc6"
    }

    /// Returns the name of the package of a library on this system, or `nil` if there is none.
    func owner(of library: String) -> String? {
        let arguments = ["--search", "*/\(library)"]
        guard let found = try? tools.attempt("dpkg-query", arguments, in: "/"),
            found.report.succeeded
        else { return nil }
        let name = String(decoding: found.output, as: UTF8.self).prefix { $0 != ":" && $0 != "," && $0 != "\n" }
        return name.isEmpty ? nil : String(name)
    }

    /// Returns the package of a library on this system, with its version as the lowest one.
    private func package(of library: String) throws(OperationFailure) -> String {
        guard let name = owner(of: library) else {
            throw .refused(["no Debian package on this system provides '\(library)', which the .deb needs"])
        }
        let version = try tools.text("dpkg-query", ["--show", "--showformat", "${Version}", name], in: "/")
        let upstream = version.lastIndex(of: "-").map { version[..<$0] } ?? version[...]
        return "\(name) (>= \(upstream))"
    }
}
