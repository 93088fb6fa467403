import Actions
import Archives
import Events
import Expressions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// A Homebrew formula that installs the programs of the archives of a release.
struct HomebrewFormula {
    static let suffix = ".rb"

    let name: String
    let version: SemanticVersion
    /// One line about the programs.
    let summary: String
    /// The web page of the repository, which has the releases.
    let homepage: String
    let tag: String
    /// The SPDX identifier of the license, or `nil` if it is unknown.
    let license: String?
    /// The archives for all machines, with their SHA-256.
    let archives: [(name: String, sha256: String)]
    /// The name of a program.
    let program: String

    var text: String {
        // In the order that `brew style` expects, and the requirements before them.
        let systems = [("macos", "on_macos"), ("linux", "on_linux")]
        let machines = [(["x86_64"], "on_intel", ":x86_64"), (["aarch64", "arm64"], "on_arm", ":arm64")]
        var blocks: [String] = []
        var found: (systems: Set<String>, machines: Set<String>) = ([], [])
        for (system, block) in systems {
            var inner: [String] = []
            for (names, machine, symbol) in machines {
                let ends = names.map { "-\(system)-\($0).tar.gz" }
                guard let archive = archives.first(where: { ends.contains(where: $0.name.hasSuffix) }) else { continue }
                inner.append(
                    """
                        \(machine) do
                          url \(quoted("\(homepage)/releases/download/\(tag)/\(archive.name)"))
                          sha256 \(quoted(archive.sha256))
                        end

                    """)
                found.systems.insert(":\(system)")
                found.machines.insert(symbol)
            }
            if !inner.isEmpty { blocks.append("  \(block) do\n\(inner.joined(separator: "\n"))  end\n") }
        }
        // Without an archive for a system or machine, the formula would have no URL there.
        var requirements = ""
        if found.machines.count == 1, let machine = found.machines.first {
            requirements = "  depends_on arch: \(machine)\n"
        }
        if found.systems.count == 1, let system = found.systems.first { requirements += "  depends_on \(system)\n" }
        if !requirements.isEmpty { blocks.insert(requirements, at: 0) }
        return """
            class \(className) < Formula
              desc \(quoted(description))
              homepage \(quoted(homepage))
              version \(quoted(version.description))
            \(license.map { "  license \(quoted($0))\n" } ?? "")
            \(blocks.joined(separator: "\n"))
              def install
                bin.install Dir["bin/*"]
                share.install Dir["share/*"]
              end

              test do
                assert_path_exists bin/\(quoted(program))
              end
            end

            """
    }

    /// The name of the class, which Homebrew derives from the name of the file: `ShapeTool` for `shape-tool.rb`.
    private var className: String {
        name.split { "-_.".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The line about the programs as `brew style` accepts it: without symbols such as emoji, and with a hyphen in
    /// "command-line".
    private var description: String {
        // An emoji is one character of several scalars, such as a symbol and its color.
        let text = summary.filter { character in
            !character.unicodeScalars.map(\.properties.generalCategory).contains {
                [.otherSymbol, .enclosingMark].contains($0)
            }
        }
        return ToolDescription.synopsis(text, of: name).replacing("ommand line", with: "ommand-line")
    }

    /// Returns a string literal of Ruby.
    private func quoted(_ text: String) -> String {
        "\"" + text.map { "\"\\#".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
    }
}

/// The Homebrew formula of a release, with its checksum and a manifest of its own. It names the archives of all machines, so
/// the machine that makes the release replaces the formulas of parts.
struct FormulaFile {
    /// The extension of the manifest.
    static let manifestSuffix = HomebrewFormula.suffix + ReleaseManifest.suffix

    let settings: Settings
    let context: StepContext
    /// The name of the package.
    let name: String
    let version: SemanticVersion
    /// The directory of the package.
    let directory: String

    /// Returns the web page of the repository, which the remote `origin` names.
    static func homepage(_ context: StepContext) throws(OperationFailure) -> String {
        let address = try Git(context).origin()
        if let page = address.flatMap(PackageRecord.published).flatMap(PackageRecord.homepage) { return page }
        let found = address.map { "'origin' is '\(PackageRecord.published($0) ?? $0)'\nhint: git remote set-url" }
        let reason = found ?? "there is no remote 'origin'\nhint: git remote add"
        throw .refused(["the formula needs the web address of the repository, and \(reason) origin URL"])
    }

    /// Writes the formula, its checksum and the manifest.
    ///
    /// - Parameters:
    ///   - archives: The archives of all machines.
    ///   - program: The name of a program.
    func write(
        archives: [(name: String, sha256: String)], program: String, in output: String
    ) throws(OperationFailure) {
        let page = try Self.homepage(context)
        let description = ToolDescription(settings, of: name, in: directory)
        let tag = try WorkingVersion.findIfAny(settings, in: context)?.tag ?? version.description
        let file = PackageOrder.fileName(name)
        let formula = HomebrewFormula(
            name: file, version: version, summary: description.summary, homepage: page, tag: tag,
            license: description.license, archives: archives, program: program)
        let base = "\(context.directory)/\(output)/\(file)\(HomebrewFormula.suffix)"
        let written = try convertingArchiveErrors(of: HashedOutputFile.write(Array(formula.text.utf8), to: base))
        let sums = try ReleaseChecksums(base: base, isSigned: settings.bool("sign") ?? false).write([written], context)
        for file in [written] + sums { context.keep(file, in: output) }
        try ReleaseManifest(version: version, commit: try Git(context).head(), files: [written] + sums)
            .write(to: "\(output)/\(file)\(Self.manifestSuffix)", context)
    }
}

extension StepContext {
    /// Announces a created file, which a transaction keeps.
    func keep(_ file: WrittenFile, in output: String) {
        let path = "\(output)/\(lastPathComponent(file.path))"
        transaction?.plan(.keep(relativePath: path))
        announce(Artifact(path: path, size: file.size, sha256: file.sha256.description))
    }
}
