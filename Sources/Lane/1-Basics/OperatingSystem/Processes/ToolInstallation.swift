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
