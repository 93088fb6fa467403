import Text

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
