import Events
import Text

/// The line grammar of `xcodebuild`, except for the lines of compilers and tests.
struct XcodebuildLines: Sendable {
    /// The meaning of the following indented lines.
    private enum Block {
        case none
        /// The invocation of a command.
        case command
        /// Failed commands or tests, or result files.
        case list
        /// The command line of the log.
        case invocation
        /// The reasons below `Testing failed:`.
        case failures
    }

    /// The result of the last action.
    enum Ending: Sendable {
        case succeeded, failed
    }

    private var block = Block.none
    private var commands = 0
    /// A Boolean value that indicates whether `xcodebuild` wrote the log.
    private(set) var isActive = false
    private var hasAmbiguousTitle = false
    /// The command line of the log, without the directory of `xcodebuild`.
    private var invocation: String?
    /// The command of the log, or `nil` for another log.
    var command: String? { isActive ? invocation ?? "xcodebuild test" : nil }
    private(set) var ending: Ending?
    /// A Boolean value that indicates whether an action has begun and has no result yet.
    private var isWorking = false

    /// A Boolean value that indicates whether the result of an action is missing. The commands that only print
    /// information have no result.
    var isUnfinished: Bool {
        (isWorking || isActive && ending == nil) && !isQuery
    }

    /// A Boolean value that indicates whether the command only prints information or resolves packages.
    var isQuery: Bool {
        let queries = [
            " -list", " -resolvePackageDependencies", " -showBuildSettings", " -showsdks", " -showdestinations",
            " -version", " -create-xcframework",
        ]
        return queries.contains { invocation?.contains($0) == true }
    }
    /// The reasons below `Testing failed:` that are not emitted yet.
    private var failures: [String] = []

    /// Parses an indented line of a command. These are the most frequent lines.
    @inline(__always)
    mutating func takeBody(_ text: Bytes) -> Bool {
        switch block {
        case .none: return false
        case .command: if text[0] == 0x20, text.hasPrefix("    ") { return true }
        case .list: if text[0] == 0x09 || text.hasPrefix("  ") { return true }
        case .invocation:
            if text.hasPrefix("  ") {
                let line = text.trimmed
                let end = line.firstIndex(of: 0x20) ?? line.count
                let name = line.upTo(end).lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
                invocation = line.from(name).string
                block = .list
                return true
            }
        case .failures:
            if text[0] == 0x09 || text.hasPrefix("  ") {
                addFailure(text.trimmed)
                return true
            }
        }
        block = .none
        return false
    }

    /// Adds a reason. Skips headings of bundles, and failed builds, which have their own errors.
    private mutating func addFailure(_ row: Bytes) {
        guard !row.hasSuffix(":"), !row.hasPrefix("Testing cancelled because the build failed"), failures.count < 100
        else { return }
        failures.append(row.string)
    }

    /// A Boolean value that indicates whether a list of reasons is complete.
    @inline(__always)
    var hasFailures: Bool { !failures.isEmpty && block != .failures }

    /// Returns and clears the reasons.
    mutating func takeFailures() -> [String] {
        defer { failures = [] }
        return failures
    }

    /// Returns a Boolean value that indicates whether a line cannot be part of a compiler's diagnostic.
    func owns(_ text: Bytes) -> Bool {
        switch text[0] {
        case UInt8(ascii: "*"): text.hasPrefix("** ") && text.lastIndex(of: " **") != nil
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            !BuildCause.matches(text)
                && (text.hasSuffix("')") && text.lastIndex(of: " (in target '") != nil
                    || (Self.titles + Self.failureTitles + ["Testing failed:"]).contains(where: text.hasPrefix))
        default: false
        }
    }

    /// Parses a line. Returns `false` if the line does not belong to `xcodebuild`.
    mutating func take(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        switch text[0] {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            !BuildCause.matches(text) && (takeCommand(text, emit) || takeTitle(text))
        case UInt8(ascii: "*"): takeEnding(text)
        case UInt8(ascii: "="): enter(.none, if: isActive && text.hasPrefix("=== ") && text.hasSuffix(" ==="))
        case UInt8(ascii: "n"): takeNote(text)
        case UInt8(ascii: "-"): enter(.list, if: text.hasPrefix("--- xcodebuild: "))
        case UInt8(ascii: "{"): isActive && text.hasPrefix("{ platform:")
        case UInt8(ascii: "("): isActive && text.hasSuffix(" failure)") || isActive && text.hasSuffix(" failures)")
        case UInt8(ascii: "0")...UInt8(ascii: "9"): isActive && text.firstIndex(of: " xcodebuild[") == 23
        case UInt8(ascii: "/"): isActive && text.firstIndex(of: ": note: detected encoding of input file") != nil
        default: false
        }
    }

    private mutating func enter(_ block: Block, if isMatch: Bool) -> Bool {
        guard isMatch else { return false }
        self.block = block
        isActive = true
        return true
    }
}

// MARK: Commands and titles

extension XcodebuildLines {
    /// The commands that may be printed without the name of a target.
    private static let known: [StaticString] = [
        "CompileSwift", "SwiftCompile", "SwiftDriver", "SwiftEmitModule", "SwiftMergeGeneratedHeaders",
        "EmitSwiftModule", "CompileC", "Ld", "Libtool", "CodeSign", "CpResource", "CpHeader", "CopySwiftLibs", "Copy",
        "ProcessInfoPlistFile", "PhaseScriptExecution", "Touch", "Validate", "RegisterExecutionPolicyException",
        "RegisterWithLaunchServices", "GenerateDSYMFile", "MkDir", "WriteAuxiliaryFile", "CompileAssetCatalog",
        "LinkStoryboards", "CompileStoryboard", "CompileXIB", "CopyPlistFile", "CopyStringsFile", "CopyPNGFile",
        "ProcessProductPackaging", "ProcessProductPackagingDER", "CreateBuildDirectory", "CreateUniversalBinary",
        "ScanDependencies", "PrecompileModule", "ClangStatCache", "ProcessPCH", "ProcessXCFramework", "GenerateTAPI",
        "DataModelCompile", "IntentDefinitionCompile", "ExtractAppIntentsMetadata", "SymLink", "Strip", "SetMode",
        "SetOwnerAndGroup", "ComputeTargetDependencyGraph", "ComputePackagePrebuildTargetDependencyGraph",
        "GatherProvisioningInputs", "CreateBuildDescription", "CreateBuildRequest", "SendProjectDescription",
        "CreateBuildOperation", "ExecuteExternalTool", "Preprocess", "Analyze", "AnalyzeShallow", "CompileMetalFile",
        "MetalLink", "ConstructStubExecutorLinkFileList", "SwiftDriverJobDiscovery", "SwiftStdLibTool", "Clean",
        "PBXCp", "Unlock",
    ]

    /// The lines that stand alone or precede a list.
    private static let titles: [StaticString] = [
        "Command line invocation:", "User defaults from ", "Build settings from ", "Resolve Package Graph",
        "Failed frontend command:", "Test session results", "Testing failed on ", "Writing error result bundle",
    ]

    /// The titles that other programs print as well. They don't tell that `xcodebuild` wrote the log.
    private static let ambiguousTitles: [StaticString] = [
        "Testing started", "Testing passed on ", "Test Plan:", "Build description ", "Package: ", "Prepare packages",
        "Resolved source packages:", "Signing Identity:", "Provisioning Profile:", "Writing result bundle",
    ]

    /// Parses `CompileC <output> <input> normal arm64 … (in target 'App' from project 'App')`.
    private mutating func takeCommand(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        let space = text.firstIndex(of: 0x20) ?? text.count
        let word = text.upTo(space)
        guard text.hasSuffix("')"), let target = text.lastIndex(of: " (in target '") else {
            guard isActive, Self.known.contains(where: word.equals) else { return false }
            return report(word, text.from(space), target: nil, emit)
        }
        return report(word, text.between(space, target), target: text.from(target + 13), emit)
    }

    /// Emits the progress of a command: its name, the target and the file.
    private mutating func report(
        _ word: Bytes, _ rest: Bytes, target: Bytes?, _ emit: (LaneEvent.Kind) -> Void
    ) -> Bool {
        block = .command
        isActive = true
        isWorking = true
        commands += 1
        var text = word.buffer.map { $0 }
        if let target, let quote = target.firstIndex(of: UInt8(ascii: "'")) {
            text += [0x20] + target.upTo(quote).buffer
        }
        if let slash = rest.lastIndex(of: UInt8(ascii: "/")), slash + 1 < rest.count {
            let file = rest.from(slash + 1)
            text += [0x20] + file.upTo(file.firstIndex(of: 0x20) ?? file.count).buffer
        }
        emit(
            .buildProgress(
                BuildProgress(finished: commands, total: commands, text: String(decoding: text, as: UTF8.self))))
        return true
    }

    /// The titles of lists of failures.
    private static let failureTitles: [StaticString] = ["The following build commands failed:", "Failing tests:"]

    private mutating func takeTitle(_ text: Bytes) -> Bool {
        if text.hasPrefix("Testing failed:") {
            ending = .failed
            return enter(.failures, if: true)
        }
        if Self.failureTitles.contains(where: text.hasPrefix) {
            ending = .failed
            return enter(.list, if: true)
        }
        if text.hasPrefix("Command line invocation:") {
            isWorking = true
            return enter(.invocation, if: true)
        }
        if Self.ambiguousTitles.contains(where: text.hasPrefix) {
            hasAmbiguousTitle = true
            return enter(.list, if: isActive)
        }
        return enter(.list, if: Self.titles.contains(where: text.hasPrefix))
    }

    /// Records a line that only `xcodebuild` prints for tests on several devices. A title before it was then its own.
    mutating func noteParallelTest() {
        if hasAmbiguousTitle { isActive = true }
    }

    private mutating func takeNote(_ text: Bytes) -> Bool {
        let notes: [StaticString] = [
            "note: Using new build system", "note: Planning", "note: Build preparation complete",
            "note: Building targets in ", "note: Target dependency graph", "note: Using codesigning identity",
            "note: Using build description", "note: Constructing build description",
            "note: Metadata extraction skipped",
            "note: Removed stale file", "note: Disabling hardened runtime", "note: Building for ",
        ]
        // This line may occur between the output of tests.
        if text.hasPrefix("note: detected encoding of input file") { return isActive }
        guard notes.contains(where: text.hasPrefix) else { return false }
        // Builds of SwiftPM print some of them as well.
        if isActive { block = .list }
        return true
    }

    /// Parses `** BUILD SUCCEEDED ** [12.345 sec]`.
    private mutating func takeEnding(_ text: Bytes) -> Bool {
        guard text.hasPrefix("** "), let end = text.lastIndex(of: " **") else { return false }
        if text.between(3, end).hasSuffix("SUCCEEDED") {
            ending = ending == .failed ? .failed : .succeeded
        } else if FailureLine.isEnding(text) {
            ending = .failed
        } else {
            return false
        }
        isWorking = false
        return enter(.none, if: true)
    }
}

// MARK: Tests on several devices at once

extension XcodebuildLines {
    /// Parses `Test case 'AppTests.testA()' passed on 'iPhone 17 - Clone 1 (4242)' (0.003 seconds)`. Parallel testing
    /// prints no other line for a test.
    static func parallelCase(_ text: Bytes) -> (name: Bytes, outcome: TestResult.Outcome, duration: Duration?)? {
        guard text.hasPrefix("Test case '"), let quote = text.firstIndex(of: "' ", from: 11) else { return nil }
        let name = text.between(11, quote)
        var duration: Duration?
        if text.hasSuffix(" seconds)") || text.hasSuffix(" seconds)."),
            let parenthesis = text.lastIndex(of: UInt8(ascii: "("))
        {
            duration = text.seconds(at: parenthesis + 1)?.value
        }
        if text.matches("passed on '", at: quote + 2) { return (name, .passed, duration) }
        if text.matches("failed on '", at: quote + 2) { return (name, .failed, duration) }
        if text.matches("skipped on '", at: quote + 2) { return (name, .skipped(reason: nil), duration) }
        return nil
    }

    static func isParallelSuite(_ text: Bytes) -> Bool {
        text.hasPrefix("Test suite '") && text.firstIndex(of: "' started on '") != nil
    }

    /// Returns a Boolean value that indicates whether a line is `Restarting after unexpected exit, crash, or test
    /// timeout in AppTests.testA(); …`.
    static func isRestart(_ text: Bytes) -> Bool { text.hasPrefix("Restarting after unexpected exit, crash") }
}

extension XcodebuildLines {
    /// Parses `-[Module.Class method]`, `Class.method()`, or Swift Testing's `Suite/function()`.
    static func test(named name: Bytes, modules: [String: String]) -> TestID {
        if name.hasPrefix("-["), name.hasSuffix("]"), let space = name.lastIndex(of: 0x20) {
            let type = name.between(2, space)
            let dot = type.firstIndex(of: UInt8(ascii: "."))
            return TestID(
                library: .xctest, module: dot.map { type.upTo($0).string } ?? "",
                suite: type.from(dot.map { $0 + 1 } ?? 0).string, name: name.between(space + 1, name.count - 1).string)
        }
        if let slash = name.lastIndex(of: UInt8(ascii: "/")) {
            return TestID(
                library: .swiftTesting, module: "", suite: name.upTo(slash).string, name: name.from(slash + 1).string)
        }
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else {
            return TestID(library: .swiftTesting, module: "", suite: "", name: name.string)
        }
        let method = name.from(dot + 1)
        let suite = name.upTo(dot).string
        return TestID(
            library: .xctest, module: modules[suite] ?? "", suite: suite,
            name: method.upTo(method.hasSuffix("()") ? method.count - 2 : method.count).string)
    }
}
