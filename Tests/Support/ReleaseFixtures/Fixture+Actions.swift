package import Actions
package import Events
package import Expressions
import LaneModel
package import OperatingSystem
import Synchronization
package import TestSupport
import Text
package import Versioning

/// The events of the steps of a test.
package final class Told: Sendable {
    private let state = Mutex<[LaneEvent.Kind]>([])

    package init() {}

    package var all: [LaneEvent.Kind] { state.withLock { $0 } }

    /// The texts of messages.
    package var messages: [String] {
        all.compactMap { kind in
            if case .message(let message) = kind { message.text } else { nil }
        }
    }

    /// The output of programs.
    package var output: String {
        let bytes: [[UInt8]] = all.compactMap { kind in
            if case .stepOutput(let chunk) = kind { chunk.bytes } else { nil }
        }
        return String(decoding: bytes.joined(), as: UTF8.self)
    }

    package func add(_ kind: LaneEvent.Kind) { state.withLock { $0.append(kind) } }
}

/// Runs processes, or a script in place of each, and records their arguments.
package final class CountingProcesses: ProcessRunner {
    private let words = Mutex<[[String]]>([])
    private let script: String?

    package init(instead script: String? = nil) {
        self.script = script
    }

    package var calls: [[String]] { words.withLock { $0 } }

    package func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        words.withLock { $0.append([command.executable] + command.arguments) }
        let standIn = script.map { Command("sh", ["-c", $0], environment: command.environment) }
        return try ChildRunner().run(standIn ?? command, limits: limits, output: output)
    }
}

extension BumpAction {
    /// Creates an action at the time of the fixtures.
    package init() { self.init(now: { GitFixture.now }) }
}

extension GitFixture {
    /// The time 2026-11-21 12:00 UTC.
    package static let now: Int64 = 1_795_262_400

    package func context(
        parameters: [String: Value] = [:], transaction: (any Transaction)? = nil, told: Told = Told(),
        settings: [String: String] = [:], in directory: String? = nil,
        processes: any ProcessRunner = ChildRunner(), releases: PlannedReleases? = nil
    ) -> StepContext {
        // The steps of a transaction are steps of one run.
        let shared = releases ?? transaction?.values[PlannedReleases.self] ?? PlannedReleases()
        transaction?.values[PlannedReleases.self] = shared
        return StepContext(
            step: StepID("release/1"), directory: transaction?.directory ?? directory ?? path, root: path,
            environment: environment.merging(hostVariables) { $1 }.merging(settings) { $1 }, parameters: parameters,
            processes: processes,
            cancellation: Cancellation(), transaction: transaction, releases: shared, send: { told.add($0) })
    }

    @discardableResult
    package func run(
        _ action: any StepAction, _ values: [String: Value] = [:], parameters: [String: Value] = [:],
        transaction: (any Transaction)? = nil, told: Told = Told(), environment: [String: String] = [:],
        in directory: String? = nil, releases: PlannedReleases? = nil
    ) throws -> StepResult {
        try action.run(
            Settings(values),
            in: context(
                parameters: parameters, transaction: transaction, told: told, settings: environment, in: directory,
                releases: releases))
    }

    /// The message of a failed action.
    package func refusal(
        of action: any StepAction, _ values: [String: Value] = [:], parameters: [String: Value] = [:],
        transaction: (any Transaction)? = nil, environment: [String: String] = [:]
    ) -> OperationFailure? {
        do {
            try run(
                action, values, parameters: parameters, transaction: transaction, environment: environment)
            return nil
        } catch {
            return error as? OperationFailure
        }
    }

    /// The `changelog` action at that time.
    package static var changelogAction: ChangelogAction { ChangelogAction(now: { now }) }

    /// A package that contains its version in all formats.
    package static func package() throws -> GitFixture {
        let fixture = try GitFixture("shape")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Shape", targets: [.target(name: "Shape")])

            """, to: "Package.swift")
        try fixture.write(
            """
            public enum ShapeVersion {
                /// The version is no longer 0.0.9.
                public static let current = "0.1.0"
            }

            """, to: "Sources/Shape/ShapeVersion.swift")
        try fixture.write(
            "let tool = CommandConfiguration(commandName: \"tool\", version: \"0.1.0\")\n",
            to: "Sources/Shape/tool.swift")
        try fixture.write("let protocolVersion = \"3.1.0\"\n", to: "Sources/Shape/wire.swift")
        try fixture.write("Pod::Spec.new do |s|\n  s.version = '0.1.0'\nend\n", to: "Shape.podspec")
        try fixture.write(
            """
            # Shape

                .package(url: "https://github.com/example/shape.git", from: "0.1.0"),
                .package(url: "https://github.com/example/other.git", from: "0.1.0"),

            Unpack `shape-0.1.0-linux-x86_64.tar.gz`. Since 0.1.0 it has corners.

            """, to: "README.md")
        try fixture.write(
            """
            <plist><dict>
            <key>CFBundleShortVersionString</key>
            <string>0.1.0</string>
            <key>CFBundleVersion</key>
            <string>0.1.0</string>
            </dict></plist>

            """, to: "App/Info.plist")
        try fixture.write(
            "\t\t\tMARKETING_VERSION = 0.1.0;\n\t\t\tMARKETING_VERSION = 0.1.0;\n", to: "A.xcodeproj/project.pbxproj")
        try fixture.writeBuildProducts()
        try fixture.commit("Begin", at: 1_700_000_000)
        return fixture
    }
}
