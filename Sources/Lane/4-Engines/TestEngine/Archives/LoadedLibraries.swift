import OperatingSystem

/// The shared libraries that the loader maps for programs, as `ldd` prints them.
struct LoadedLibraries: Equatable {
    /// The paths of the libraries by the names in the programs.
    private(set) var paths: [String: String] = [:]

    /// The prefixes of libraries that belong to the system: those of the C library and the compiler.
    private static let ofSystem = [
        "linux-vdso.so", "ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libresolv.so",
        "libutil.so", "libgcc_s.so", "libstdc++.so", "libmvec.so", "libanl.so",
    ]

    /// Runs `ldd` for programs. Ignores programs that `ldd` does not support.
    init(of programs: [String], environment: [String: String], processes: any ProcessRunner) {
        let run =
            programs.isEmpty ? nil : try? processes.capture(Command("ldd", programs, environment: environment))
        self.init(parsing: run?.text ?? "")
    }

    /// Parses the output of `ldd`: lines such as `libz.so.1 => /lib/libz.so.1 (0x00007f)`.
    init(parsing text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 3, words[1] == "=>", words[2].hasPrefix("/") else { continue }
            paths[String(words[0])] = String(words[2])
        }
    }

    /// The directory of the Swift runtime, or `nil` if it is linked statically.
    var runtimeDirectory: String? { paths["libswiftCore.so"].map(parentDirectory) }

    /// The names of the libraries in a directory, sorted.
    func names(in directory: String) -> [String] {
        paths.filter { parentDirectory($0.value) == directory }.map(\.key).sorted()
    }

    /// Returns the libraries that belong neither to the system nor to one of the directories, sorted by name.
    func others(than directories: [String]) -> [(name: String, path: String)] {
        paths.filter { name, path in
            !directories.contains(parentDirectory(path)) && !Self.ofSystem.contains { name.hasPrefix($0) }
        }
        .map { (name: $0.key, path: $0.value) }.sorted { $0.name < $1.name }
    }
}
