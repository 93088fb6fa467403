import ActionFixtures
import Actions
import Expressions
import LaneModel
import TestSupport
import Testing

@testable import Packaging
@testable import SwiftPackages

/// Tests of the headers of C modules, which programs find with only `lib` in their search path.
@Suite(.startsPrograms) struct PackagedHeadersTests {
    @Test(arguments: [
        ("#include \"a.h\"", "a.h", true), ("  #  import <x/a.h> // why", "x/a.h", false),
        ("#include_next <a.h>\r", "a.h", false), ("#include\t\"sub dir/a.h\"", "sub dir/a.h", true),
    ])
    func includesAreParsed(line: String, name: String, isQuoted: Bool) {
        let found = HeaderFile.includes("int one;\n\(line)\n#endif\n")
        #expect(found == [HeaderFile.Include(name: name, isQuoted: isQuoted)])
    }

    @Test(arguments: ["include \"a.h\"", "#include MACRO", "#include \"a.h", "#include <>", "#", "// #include \"a.h\""])
    func otherLinesIncludeNothing(line: String) {
        #expect(HeaderFile.includes(line).isEmpty)
    }

    /// The include has a plain name, a directory, angle brackets, or a name in its own module.
    @Test func aHeaderMayIncludeThoseOfOtherModules() throws {
        let fixture = try GitFixture("headers", keepingBuildsAs: "headers")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Top", products: [.library(name: "Top", targets: ["Top"])],
                targets: [
                    .target(name: "CBase"), .target(name: "CFolder"),
                    .target(name: "CUpper", dependencies: ["CBase", "CFolder"], publicHeadersPath: "api"),
                    .target(name: "Top", dependencies: ["CUpper"]),
                ])

            """, to: "Package.swift")
        try fixture.write("#pragma once\ntypedef struct { int one; } base;\n", to: "Sources/CBase/include/base.h")
        try fixture.write("#include \"base.h\"\n", to: "Sources/CBase/base.c")
        try fixture.write(
            "#pragma once\ntypedef struct { int two; } folder;\n", to: "Sources/CFolder/include/CFolder/inner.h")
        try fixture.write("#include \"CFolder/inner.h\"\n", to: "Sources/CFolder/folder.c")
        try fixture.write(
            "#pragma once\n#include \"sub/types.h\"\nupper make(void);\n", to: "Sources/CUpper/api/upper.h")
        try fixture.write(
            """
            #pragma once
            #include "base.h"
            #include <CFolder/inner.h>
            #include "sub/more.h"
            typedef struct { base b; folder f; more m; } upper;

            """, to: "Sources/CUpper/api/sub/types.h")
        try fixture.write("#pragma once\ntypedef struct { int three; } more;\n", to: "Sources/CUpper/api/sub/more.h")
        try fixture.write(
            "#include \"upper.h\"\nupper make(void) { upper u = { { 1 }, { 2 }, { 3 } }; return u; }\n",
            to: "Sources/CUpper/upper.c")
        try fixture.write(
            """
            import CUpper
            public struct Top {
                public let value: upper
                public init() { value = make() }
            }

            """, to: "Sources/Top/a.swift")
        try fixture.packAndUnpack()
        let program = "import Top\nlet u = Top().value\nprint(u.b.one, u.f.two, u.m.three)\n"
        #expect(try fixture.output(of: program, linking: "-lTop") == "1 2 3")
    }

    #if os(Linux)
        /// A linker searches the directories of the toolchain first.
        @Test func namesOfToolchainLibrariesAreDocumented() throws {
            let fixture = try GitFixture("clash", keepingBuildsAs: "clash")
            try fixture.write(
                """
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(
                    name: "Clash", products: [.library(name: "swiftObservation", targets: ["Clash"])],
                    targets: [.target(name: "Clash")])

                """, to: "Package.swift")
            try fixture.write("public let clash = 7\n", to: "Sources/Clash/a.swift")
            let events = RecordedEvents()
            try fixture.packAndUnpack(events: events)
            let words = "must be linked with 'lib/libswiftObservation.a' instead of '-lswiftObservation'"
            #expect(events.messages.contains { $0.contains(words) }, "\(events.messages)")
            #expect(
                try fixture.shell("cat ../out/lib/README.md").contains(words.replacing("'", with: "`")))
            #expect(try fixture.output(of: "import Clash\nprint(clash)\n", linking: "lib/libswiftObservation.a") == "7")
        }
    #endif
}
