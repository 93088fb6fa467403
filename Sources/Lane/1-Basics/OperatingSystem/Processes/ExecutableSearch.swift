import CLibrary

/// A search for an executable by the rules of a shell, in the environment of the child.
package struct ExecutableSearch: Sendable {
    /// The default `PATH` of the system.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

    /// The variable of a container with the options of `lane` that started it.
    package static let containerVariable = "LANE_CONTAINER"

    private let path: String
    private let directory: String?
    private let container: String?

    /// Creates a search. Relative entries of `PATH` are relative to `directory`, or to the current directory if it is
    /// `nil`.
    package init(environment: [String: String], directory: String? = nil) {
        path = environment["PATH"] ?? Self.defaultPath
        self.directory = directory
        container = environment[Self.containerVariable]
    }

    /// Returns the path of an executable for `execve`. Returns a name with a slash unchanged; it is relative to the
    /// child's directory.
    package func locate(_ name: String) throws(SpawnError) -> String {
        if name.utf8.contains(UInt8(ascii: "/")) {
            guard exists(name) else { throw .executableNotFound(name) }
            return name
        }
        // Paths are built from bytes, because the search runs for every child and strings are slower.
        var path = path
        let found = name.isEmpty ? nil : path.withUTF8 { firstExecutable(named: name, in: $0) }
        guard let found else { throw .executableNotFound(name, container: container) }
        return found
    }

    private func firstExecutable(named name: String, in path: UnsafeBufferPointer<UInt8>) -> String? {
        let ending = Array("/\(name)\0".utf8)
        var candidate: [UInt8] = []
        var start = 0
        while start <= path.count {
            let rest = UnsafeBufferPointer(rebasing: path[start...])
            let entry = UnsafeBufferPointer(rebasing: rest[..<(rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.count)])
            candidate.removeAll(keepingCapacity: true)
            let prefix = entry.first == UInt8(ascii: "/") ? 0 : appendDirectory(to: &candidate)
            if entry.isEmpty { candidate.append(UInt8(ascii: ".")) } else { candidate += entry }
            candidate += ending
            if isExecutable(candidate) { return String(decoding: candidate[prefix...].dropLast(), as: UTF8.self) }
            start += entry.count + 1
        }
        return nil
    }

    private func exists(_ name: String) -> Bool {
        var path: [UInt8] = []
        if !name.hasPrefix("/") { appendDirectory(to: &path) }
        path += Array("\(name)\0".utf8)
        return access(path, F_OK) == 0
    }

    /// Appends the child's directory for a relative path. Returns the number of appended bytes.
    @discardableResult
    private func appendDirectory(to path: inout [UInt8]) -> Int {
        guard let directory else { return 0 }
        path += "\(directory)/".pathBytes
        return path.count
    }

    /// Returns a Boolean value that indicates whether a path, terminated with NUL, is an executable file.
    private func isExecutable(_ path: [UInt8]) -> Bool {
        guard access(path, X_OK) == 0 else { return false }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// The instructions for the installation of known tools.
package enum ToolInstallation {
    private static let lines = [
        "swift": "see https://www.swift.org/install, and put usr/bin of the toolchain into PATH",
        "git": "apt-get install git, or xcode-select --install",
        "docc": "comes with the toolchains of swift.org and of Xcode",
        "docker": "apt-get install docker.io, or brew install --cask docker",
        "curl": "apt-get install curl, or brew install curl",
        "eu-stack": "apt-get install elfutils",
        "swiftlint": "brew install swiftlint, or see https://github.com/realm/SwiftLint",
        "swiftformat": "brew install swiftformat, or see https://github.com/nicklockwood/SwiftFormat",
    ]

    /// Returns the instructions for a tool, or `nil` for an unknown one.
    package static func line(for tool: String) -> String? { lines[tool] }

    /// Returns a hint for a program that was not found.
    static func hint(for program: String) -> String {
        if let line = line(for: program) { return "\nhint: \(line)" }
        // A list with one element, such as `run: [echo hello]`.
        guard program.utf8.contains(UInt8(ascii: " ")) else { return "" }
        let words = program.split(separator: " ").joined(separator: ", ")
        return "\nhint: write the program and its arguments as separate elements: [\(words)]"
    }
}
