import APIComparison
import OperatingSystem
import SwiftPackages
import Text

/// A version of a package that was built for debugging, and the flags with which clients import its modules.
struct BuiltVersion: Sendable {
    let interface: PackageInterface
    let snapshot: APISnapshot
    /// The flags of the compiler: directories of modules, module maps of C targets, the target triple.
    let flags: [String]

    /// Builds the targets of all library products and reads their public declarations.
    ///
    /// - Parameters:
    ///   - directory: The directory of the package.
    ///   - scratch: The absolute path of the build directory.
    ///   - arguments: Additional arguments for `swift build`.
    static func build(
        in directory: String, scratch: String, arguments: [String], _ toolchain: Toolchain, _ tools: ToolRunner
    ) throws(OperationFailure) -> BuiltVersion {
        let options = ["--scratch-path", scratch]
        let interface = PackageInterface(try .read(tools, in: directory, options: options))
        for target in interface.rootTargets {
            try tools.buildQuietly(["build", "--target", target] + options + arguments, in: directory)
        }
        let isSwift = { (module: String) in fileExists("\(scratch)/debug/Modules/\(module).swiftmodule") }
        let targets = interface.sourceTargets + interface.internalTargets
        let modules = targets.filter { isSwift(moduleName($0)) }
        let flags = flags(for: modules.map(moduleName), scratch: scratch)
        // The compiler finds a module of C by the directory of its target or of its module map.
        let found = interface.importableTargets.filter { target in
            flags.contains { $0.contains("/\(target)/") || $0.contains("/\(target).build/") }
        }
        var snapshot = APISnapshot(modulesOfC: found.map(moduleName).filter { !isSwift($0) })
        let importable = exports(interface.sourceTargets, scratch: scratch)
        for target in modules {
            let module = moduleName(target)
            let graphs = try symbolGraphs(of: module, flags, "\(scratch)/lane-api/\(module)", toolchain, tools)
            let client = interface.sourceTargets.contains(target) ? module : importable[module]
            snapshot.add(
                graphs, module: client ?? module, root: resolvedPath(directory) ?? directory, isInternal: client == nil)
        }
        snapshot.removeUnreachable()
        return BuiltVersion(interface: interface, snapshot: snapshot, flags: flags)
    }

    /// Returns the modules that targets re-export with `@_exported import`, directly or not, with the module that clients
    /// import for them.
    private static func exports(_ targets: [String], scratch: String) -> [String: String] {
        var found: [String: String] = [:]
        var open = targets.map { (target: $0, client: moduleName($0)) }
        while let (target, client) = open.popLast() {
            // SwiftPM lists the sources of a target for the compiler, one a line, with quotes around spaces.
            let sources = (try? readText("\(scratch)/debug/\(target).build/sources"))?.lines ?? []
            for source in sources {
                let path = source.hasPrefix("'") ? String(source.dropFirst().dropLast()) : source
                guard let text = try? readText(path), text.contains("@_exported") else { continue }
                for module in exportedModules(in: text) where found[module] == nil {
                    found[module] = client
                    open.append((module, client))
                }
            }
        }
        return found
    }

    /// Returns the modules in the declarations `@_exported import Core`.
    static func exportedModules(in source: String) -> [String] {
        let lines = SwiftScanner.tokens(of: Array(source.utf8)[...]).split(separator: .lineBreak)
        return lines.compactMap { line in
            let words = line.compactMap(\.word)
            guard words.first == "@_exported", let index = words.firstIndex(of: "import") else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
            return words[(index + 1)...].first { !kinds.contains($0) }
        }
    }

    /// Returns the name of a target's module.
    private static func moduleName(_ target: String) -> String {
        String(decoding: target.utf8.map { $0.isIdentifierContinuation ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    private static func symbolGraphs(
        of module: String, _ flags: [String], _ output: String, _ toolchain: Toolchain, _ tools: ToolRunner
    ) throws(OperationFailure) -> [JSONNode] {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(output)
            try makeDirectories(output)
        }
        try tools.run(
            "\(toolchain.binaries)/swift-symbolgraph-extract",
            [
                "-module-name", module, "-minimum-access-level", "public", "-skip-synthesized-members",
                "-emit-extension-block-symbols",
            ] + flags
                + ["-output-dir", output],
            in: output, showsOutput: false)
        let names = try convertingFileErrors(of: listDirectory(output).sorted())
        return try names.map { name throws(OperationFailure) in
            let bytes = try convertingFileErrors(of: readFile("\(output)/\(name)"))
            guard let node = try? JSONParser.parse(bytes) else {
                throw OperationFailure("the compiler wrote no readable symbol graph of '\(module)'")
            }
            return node
        }
    }

    /// Returns the flags with which SwiftPM compiled the modules and which a client needs, without duplicates.
    private static func flags(for modules: [String], scratch: String) -> [String] {
        var flags = [["-I", "\(scratch)/debug/Modules"]]
        let plan = (try? readText("\(scratch)/debug.yaml")) ?? ""
        for words in BuildPlan.commands(with: "-emit-module", in: plan)
        where modules.contains(where: { ["-module-name", $0].elementsEqual(words.dropFirst().prefix(2)) }) {
            flags += clientFlags(words)
        }
        var known: Set<[String]> = []
        return flags.filter { known.insert($0).inserted }.flatMap(\.self)
    }

    /// Returns the flags that clients of a module need, each with its value.
    static func clientFlags(_ words: [String]) -> [[String]] {
        let withValue: Set = ["-I", "-F", "-Xcc", "-target", "-sdk", "-module-cache-path"]
        return words.indices.compactMap { index in
            let word = words[index]
            if word.hasPrefix("-cxx-interoperability-mode") { return [word] }
            // The value of another flag is no flag.
            guard withValue.contains(word), index + 1 < words.count, index == 0 || words[index - 1] != "-Xcc" else {
                return nil
            }
            return [word, words[index + 1]]
        }
    }
}
