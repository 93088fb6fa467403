import ActionFixtures
import Actions
import Expressions
import LaneModel
import TestSupport
import Testing

@testable import Packaging
@testable import SwiftPackages

/// Tests of macros, which builds compile as build tools.
@Suite(.startsPrograms) struct BuildToolsTests {
    @Test func flagsOfToolsGoToAToolset() throws {
        let directory = try TemporaryDirectory()
        let toolset = Toolset([
            "build", "--static-swift-stdlib", "-Xswiftc", "-Xfrontend", "-Xcc", "-g0", "-Xlinker", "-s", "--target",
            "A",
        ])
        let words = try toolset.write(to: "\(directory.path)/t.json")
        #expect(words == ["build", "--target", "A", "--toolset", "\(directory.path)/t.json"])
        let text = try directory.read("t.json").filter { !$0.isWhitespace }
        #expect(
            text == """
                {"schemaVersion":"1.0","swiftCompiler":{"extraCLIOptions":["-static-stdlib","-Xfrontend"]},\
                "cCompiler":{"extraCLIOptions":["-g0"]},"cxxCompiler":{"extraCLIOptions":["-g0"]},\
                "linker":{"extraCLIOptions":["-s"]}}
                """)
    }

    #if os(Linux)
        /// The executable is linked statically. Libraries are built with a textual interface, and one without. All use
        /// the macro.
        @Test func buildToolsAreCompiledOnce() throws {
            let fixture = try GitFixture("macros", keepingBuildsAs: "macros")
            try fixture.write(
                """
                // swift-tools-version: 6.0
                import CompilerPluginSupport
                import PackageDescription
                let package = Package(
                    name: "Macros", platforms: [.macOS(.v15)],
                    products: [
                        .executable(name: "tool", targets: ["tool"]), .library(name: "Lib", targets: ["Lib"]),
                        .library(name: "Upper", targets: ["Upper"]),
                    ],
                    targets: [
                        .target(name: "Syntax"), .macro(name: "LibMacros", dependencies: ["Syntax"]),
                        .target(name: "Lib", dependencies: ["LibMacros"]),
                        .target(name: "Upper", dependencies: ["LibMacros"]),
                        .executableTarget(name: "tool", dependencies: ["Lib"]),
                    ])

                """, to: "Package.swift")
            try fixture.write("public let syntax = 2\n", to: "Sources/Syntax/a.swift")
            try fixture.write(
                "import Syntax\n@main struct Plugin { static func main() { print(syntax) } }\n",
                to: "Sources/LibMacros/a.swift")
            try fixture.write("public let lib = 3\n", to: "Sources/Lib/a.swift")
            try fixture.write(
                "public struct Upper { public init() {} }\npublic func pair(_ one: Upper) -> Upper { one }\n",
                to: "Sources/Upper/a.swift")
            try fixture.write("import Lib\nprint(lib)\n", to: "Sources/tool/main.swift")
            try fixture.packAndUnpack()
            // The macro is compiled for the executable, and not again for the libraries.
            #expect(
                try fixture.shell(
                    """
                    cd .build/lane-package/source/Macros/.build && ls
                    find . -path '*Syntax*' -name '*.swift.o' | wc -l
                    find . -path '*Syntax*' -name '*.swift.o' -newer shared/release/tool
                    """) == "shared\ntoolset.json\n1")
            #expect(
                try fixture.shell("cd ../out/lib && ls")
                    == "Lib.swiftmodule\nUpper.swiftmodule\nlibLib.a\nlibUpper.a")
            #expect(try fixture.shell("env -i ../out/bin/tool") == "3")
            #expect(try fixture.shell("ldd ../out/bin/tool 2>&1 || true").contains("not a dynamic executable"))
            #expect(try fixture.shell("ls ../out/lib/Lib.swiftmodule/*.swiftinterface | wc -l") == "1")
        }
    #endif
}
