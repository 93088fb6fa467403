import Events
import OperatingSystem
import Synchronization

/// A library that writes XCTest's events to a pipe, for tests whose results are missing in the text.
///
/// The package's toolchain compiles the library when it is first needed, which is rare.
final class XCTestObserver: Sendable {
    /// The observation of one process.
    struct Session {
        let library: String
        /// The path of the pipe that the library writes to.
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
    private let events: any EventSink
    /// The path of the compiled library. The inner `nil` means that the compilation failed.
    private let library = Mutex<String??>(nil)

    init(of package: SwiftPackage, processes: any ProcessRunner, scratch: String, events: any EventSink) {
        self.package = package
        self.processes = processes
        self.scratch = scratch
        self.events = events
    }

    /// Returns the path of the library, or `nil` if tests cannot be observed.
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
            // The library of a sanitizer must be preloaded first.
            guard !package.options.build.isSanitizing else { return nil }
            let (source, library) = ("\(scratch)/XCTestObserver.swift", "\(scratch)/libXCTestObserver.so")
            guard LineBuffering.canPreload(library) else {
                warn("the path of temporary files contains a space or a colon")
                return nil
            }
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
            warn("the observer of XCTest cannot be compiled: \(reason)")
        #endif
        return nil
    }

    private func warn(_ reason: String) {
        events.report(
            .warning, "tests that close or redirect standard output are reported as crashed, because \(reason)")
    }
}
