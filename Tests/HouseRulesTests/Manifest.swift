import OperatingSystem
import TestSupport
import Text

/// The contents of `Package.swift`, from `swift package dump-package`.
struct Manifest {
    struct Target {
        let name: String
        let kind: String
        /// The directory relative to the root.
        let path: String
        let dependencies: Set<String>
        let hasUnsafeFlags: Bool
    }

    let targets: [Target]
    /// The packages that it depends on.
    let packages: Int
    let toolsVersion: String

    /// Runs `swift package dump-package` with a separate scratch directory: that of the package is locked during a build.
    static func load() throws -> Manifest {
        let scratch = try TemporaryDirectory()
        let run = try ChildRunner().capture(
            Command(
                "swift",
                ["package", "--package-path", Repository.root, "--scratch-path", scratch.path, "dump-package"],
                environment: buildEnvironment()))
        guard run.report.succeeded else { throw Unreadable(description: run.errorText) }
        let root = try JSONParser.parse(run.standardOutput)
        return Manifest(
            targets: (root["targets"]?.array ?? []).compactMap(Target.init),
            packages: root["dependencies"]?.array?.count ?? -1,
            toolsVersion: root["toolsVersion"]?["_version"]?.string ?? "")
    }

    subscript(name: String) -> Target? {
        targets.first { $0.name == name }
    }

    /// Returns the target with a source file, or `nil` for a file of no target.
    func target(of file: String) -> Target? {
        targets.first { file.hasPrefix("\($0.path)/") }
    }

    /// Returns the modules of `lane`, the highest floor first. Each has arrows to the modules that it uses and that it does
    /// not reach through another one.
    func drawing() -> String {
        var lines: [String] = []
        let ours = targets.filter { $0.path.hasPrefix("Sources/Lane/") && !$0.path.hasPrefix("Sources/Lane/C/") }
        let names = Set(ours.map(\.name))
        let floors = Dictionary(grouping: ours) { $0.path.split(separator: "/")[2] }
        for (floor, modules) in floors.sorted(by: { $0.key > $1.key }) {
            for (index, module) in modules.sorted(by: { $0.name < $1.name }).enumerated() {
                let uses = module.dependencies.intersection(names)
                let direct = uses.filter { name in
                    !uses.contains { $0 != name && closure(of: $0).contains(name) }
                }
                let title = index == 0 ? String(floor).replacing("-", with: " ") : ""
                let arrows = direct.isEmpty ? "" : "→ " + direct.sorted().joined(separator: " ")
                let line = padded(title, to: 16) + padded(module.name, to: 16) + arrows
                lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Returns a target and all of its dependencies, direct and indirect.
    func closure(of name: String) -> Set<String> {
        var reached: Set<String> = [name]
        var open = [name]
        while let next = open.popLast() {
            for name in self[next]?.dependencies ?? [] where reached.insert(name).inserted { open.append(name) }
        }
        return reached
    }

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }
}

extension Manifest.Target {
    init?(_ node: JSONNode) {
        guard let name = node["name"]?.string, let kind = node["type"]?.string else { return nil }
        self.name = name
        self.kind = kind
        path = node["path"]?.string ?? ""
        dependencies = Set((node["dependencies"]?.array ?? []).compactMap { $0["byName"]?.array?.first?.string })
        hasUnsafeFlags = (node["settings"]?.array ?? []).contains { $0["kind"]?["unsafeFlags"] != nil }
    }
}
