import Files
import Processes
import TestSupport
import Testing

/// Type-checks the views against stub modules, as their frameworks exist only on Apple platforms. The stubs declare
/// what the views use, so a wrong assumption about the frameworks is not found.
@Suite struct ViewsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func swiftc(_ arguments: [String]) throws -> String {
        let flags = ["-swift-version", "6", "-parse-as-library", "-I", folder.path]
        let run = try ChildRunner().capture(
            Command("swiftc", flags + arguments, environment: processEnvironment(), directory: folder.path),
            limits: RunLimits(timeout: .seconds(300)))
        return run.report.succeeded ? "" : run.text + run.errorText
    }

    @Test func theViewsTypeCheckAgainstStubs() throws {
        let tests = parentDirectory(#filePath)
        for module in ["CoreGraphics", "UIKit", "SwiftUI"] {
            let output = "\(folder.path)/\(module).swiftmodule"
            let source = "\(tests)/StandIns/\(module).swift"
            let problems = try swiftc(["-emit-module", "-module-name", module, "-emit-module-path", output, source])
            try #require(problems.isEmpty, "\(problems)")
        }
        // Uses both views, so that the check cannot pass without them.
        try folder.write(
            """
            import SwiftUI
            import UIKit
            @MainActor func use(_ surface: Binding<TraceSurface>) -> (TraceView, some View) {
                let view = TraceView(frame: CGRect(x: 0, y: 0, width: 320, height: 400))
                view.letter = "T"
                view.undo()
                return (view, TracingCanvas(surface: surface))
            }
            """, to: "use.swift")
        let sources = try swiftFiles(below: parentDirectory(parentDirectory(tests)) + "/Sources/Tracer")
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        let flags =
            ["-typecheck", "-module-name", "Tracer", "-warnings-as-errors"]
            + features.flatMap { ["-enable-upcoming-feature", $0] }
        let problems = try swiftc(flags + sources + ["\(folder.path)/use.swift"])
        #expect(problems.isEmpty, "\(problems)")
    }
}
