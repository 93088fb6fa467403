package import OperatingSystem
import SwiftPackages
import Text

/// A record of the last run in which all tests passed, for a run that need not repeat it.
///
/// The record is a hash of everything that the tests are known to depend on: the files of the repository, with their
/// sizes, times and numbers, except those of builds; the references of git; settings, environment and toolchain. In
/// case of doubt, there is no hash, and the tests run. A record is valid for a day, because tests may also depend on
/// other programs of the machine.
package struct PassRecord {
    /// The variables that differ from shell to shell.
    private static let variablesOfShells: Set<String> = ["_", "OLDPWD", "PWD", "SHLVL"]
    private static let maximumFiles = 50_000
    private static let validity = 86_400.0

    private let file: String
    private let package: String
    private let top: String
    private let settings: String
    private let reports: Set<String>
    private let environment: [String: String]
    private let processes: any ProcessRunner

    /// - Parameters:
    ///   - file: The path of the record.
    ///   - package: The directory of the package.
    ///   - settings: The settings of the tests as text.
    ///   - reports: The absolute paths of the files and directories that the run writes.
    package init(
        file: String, package: String, settings: String, reports: Set<String> = [], environment: [String: String],
        processes: any ProcessRunner
    ) {
        self.file = file
        self.package = package
        self.settings = settings
        self.reports = reports
        self.environment = environment
        self.processes = processes
        top = Self.repository(around: package) ?? package
    }

    /// Returns a hash of the current state, or `nil` if the tests may depend on unknown files.
    package func state() -> UInt64? {
        guard ManifestText(directory: package).refersToNoOtherDirectory, let version = output("swift", "--version")
        else { return nil }
        var hash = StateHash()
        for text in [package, settings, version, output("git", "show-ref", "--head") ?? ""] { hash.add(text) }
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where !Self.variablesOfShells.contains(name) {
            hash.add("\(name)=\(value)")
        }
        var files = 0
        return add(directory: top, to: &hash, &files) ? hash.value : nil
    }

    /// Returns the time in seconds since the tests passed in a state, or `nil` if there is no valid record of it.
    package func age(of state: UInt64, at date: Double) -> Double? {
        let words = ((try? readText(file)) ?? "").split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "\(state)", let passedAt = Double(words[1]) else { return nil }
        return (0...Self.validity).contains(date - passedAt) ? date - passedAt : nil
    }

    /// Removes the record before the tests run.
    package func remove() { try? removeTree(file) }

    /// Records that all tests passed. Without the record, the next run repeats them.
    package func save(_ state: UInt64, at date: Double) {
        try? makeDirectories(parentDirectory(file))
        try? writeFile("\(state) \(date)\n", to: file)
    }

    private func output(_ program: String, _ arguments: String...) -> String? {
        let command = Command(program, arguments, environment: environment, directory: package).hidingMarks
        guard let run = try? processes.capture(command), run.report.status == 0 else { return nil }
        return String(decoding: run.standardOutput, as: UTF8.self)
    }

    private static func repository(around directory: String) -> String? {
        var directory = directory
        while fileKind("\(directory)/.git") == nil {
            guard directory != "/", !directory.isEmpty else { return nil }
            directory = parentDirectory(directory)
        }
        return directory
    }

    /// Adds all files of a directory except those of git, of `lane`, of builds and of the run itself. Returns `false` if
    /// they are unknown.
    private func add(directory: String, to hash: inout StateHash, _ files: inout Int) -> Bool {
        guard let names = try? listDirectory(directory) else { return false }
        for name in names where ![".git", ".lane"].contains(name) {
            if name == ".build", names.contains("Package.swift") { continue }
            files += 1
            guard files < Self.maximumFiles else { return false }
            let path = "\(directory)/\(name)"
            if reports.contains(path) { continue }
            switch fileKind(path) {
            case .directory: if !add(directory: path, to: &hash, &files) { return false }
            case .link where isDirectory(path):
                guard let target = resolvedPath(path), target.hasPrefix("\(resolvedPath(top) ?? top)/") else {
                    return false
                }
                hash.add("\(path) -> \(target)")
            default: if !hash.add(file: path) { hash.add("\(path) is missing") }
            }
        }
        return true
    }
}
