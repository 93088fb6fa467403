import Files
import Processes
import Synchronization

/// A library that tells by a pipe of its own what XCTest observes, for tests whose ends its text does not tell.
///
/// Compiled by the package's toolchain when it is first needed, which few packages ever do.
final class XCTestObserver: Sendable {
    /// How one process is observed.
    struct Session {
        let library: String
        /// Where the library writes.
        let pipe: String
        let binary: String

        /// Adds the library to an environment.
        func observe(_ environment: inout [String: String]) {
            let others = environment["LD_PRELOAD"]
            environment["LD_PRELOAD"] = [library, others].compactMap { $0 }.joined(separator: " ")
            environment[XCTestObserver.preloadVariable] = others
            environment[XCTestObserver.pipeVariable] = pipe
            environment[XCTestObserver.programVariable] = resolvedPath(binary) ?? binary
        }
    }

    private let package: SwiftPackage
    private let processes: any ProcessRunner
    private let scratch: String
    private let warn: @Sendable (String) -> Void
    /// The library once it is compiled; the inner `nil` where it cannot be.
    private let library = Mutex<String??>(nil)

    init(
        of package: SwiftPackage, processes: any ProcessRunner, scratch: String,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.package = package
        self.processes = processes
        self.scratch = scratch
        self.warn = warn
    }

    /// Returns the path of the library, or `nil` where tests cannot be observed.
    func compiled() -> String? {
        library.withLock { library in
            if let library { return library }
            let result = compile()
            library = .some(result)
            return result
        }
    }

    private func compile() -> String? {
        #if os(Linux)
            // A sanitizer's own library must be the first.
            guard !package.options.build.isSanitizing else { return nil }
            let (source, library) = ("\(scratch)/XCTestObserver.swift", "\(scratch)/libXCTestObserver.so")
            var reason: String
            do {
                try writeFile(Array(Self.source.utf8), to: source)
                let command = Command(
                    "swiftc",
                    [
                        "-emit-library", "-parse-as-library", "-module-name", "LaneXCTestObserver", "-swift-version",
                        "5",
                        "-o", library, source, "-Xlinker", "-init=\(Self.entryPoint)",
                    ], environment: package.environment, directory: scratch)
                let run = try processes.capture(command)
                if run.report.succeeded { return library }
                reason = "\(ProcessEnding(run.report))\n\(run.errorText)"
            } catch {
                reason = "\(error)"
            }
            warn(
                "tests that leave standard output closed or redirected are reported as crashed, as the observer of XCTest "
                    + "does not compile: \(reason)")
        #endif
        return nil
    }
}
