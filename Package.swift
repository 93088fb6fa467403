// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors, and an import reaches a signature only when it says so.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, uses dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// The dependencies of every module with actions of lanes.
let steps: [Target.Dependency] = ["Expressions", "LaneModel", "LaneRun", "LaneEvents", "Processes", "Diagnostics"]

let package = Package(
    name: "tracer",
    // A package has one deployment target per platform: macOS 15 is for the modules of lane, which use Synchronization.
    // Tracer needs less, and is all of the package that other platforms build.
    platforms: [.macOS(.v15), .iOS(.v15), .visionOS(.v1)],
    products: [
        .library(name: "Tracer", targets: ["Tracer"]),
        .library(name: "TracerViews", targets: ["TracerViews"]),
        .executable(name: "lane", targets: ["lane"]),
        .executable(name: "tracer-demo", targets: ["tracer-demo"]),
    ],
    targets: [
        .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
        .systemLibrary(name: "CSpawn"),
        .systemLibrary(name: "CBuild"),
        .systemLibrary(name: "CDemangle"),

        .target(
            name: "Tracer", swiftSettings: strict,
            // A square root is a function of the system's mathematics for numbers below 0, and in debug builds for all.
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        module("Diagnostics"),
        module("JSON"),
        module("Files"),
        module("Text"),
        module("Threads"),

        module("Arguments", uses: ["Diagnostics"]),
        module("SemVer", uses: ["Text", "Diagnostics"]),
        module("YAML", uses: ["Text", "CYaml", "Diagnostics"]),
        module("LaneEvents", uses: ["Diagnostics", "JSON"]),
        module("Coverage", uses: ["Diagnostics", "JSON"]),
        module("Processes", uses: ["Text", "Threads", "CSpawn"]),
        module("HTTP", uses: ["Text", "Files", "Processes"]),
        module("TracerViews", uses: ["Tracer"]),
        .target(name: "TracerWeb", dependencies: ["Tracer"], exclude: ["Runtime"], swiftSettings: strict),
        module("TracerPictures", uses: ["Tracer", "CDeflate"]),
        module("Archives", uses: ["Files", "Text", "Threads", "CDeflate", "CNettle"]),

        module("Expressions", uses: ["Text", "Diagnostics"]),
        module("TestOutput", uses: ["Text", "LaneEvents", "JSON"]),
        module("StackTraces", uses: ["Text", "LaneEvents", "CDemangle"]),
        module("Reports", uses: ["Text", "Coverage", "LaneEvents", "Diagnostics", "JSON"]),

        module("ResultHistory", uses: ["Text", "Files", "LaneEvents", "Reports", "Diagnostics", "JSON"]),
        module("PastRuns", uses: ["Files", "LaneEvents", "Reports", "Diagnostics"]),
        module("LaneModel", uses: ["Text", "SemVer", "YAML", "Expressions", "JSON", "Diagnostics"]),
        module("Planning", uses: ["Text", "Expressions", "LaneModel", "Diagnostics"]),
        module(
            "TestEngine",
            uses: [
                "Text", "Files", "Threads", "Processes", "TestOutput", "StackTraces", "Coverage",
                "LaneEvents", "JSON", "Diagnostics",
            ]),
        module("ChangeImpact", uses: ["Text", "Files", "Diagnostics", "JSON"]),
        module("Merging", uses: ["LaneEvents", "Text", "Files", "Coverage", "Diagnostics"]),
        module(
            "TestArchives",
            uses: ["TestEngine", "LaneEvents", "Text", "Files", "Threads", "Archives", "Processes", "JSON"]),
        module("Secrets", uses: ["Text", "Expressions", "LaneEvents", "Processes"]),
        module(
            "LaneRun",
            uses: [
                "Text", "Files", "Threads", "Archives", "SemVer", "Expressions", "LaneModel", "Planning", "LaneEvents",
                "Processes", "Secrets", "Diagnostics", "JSON",
            ]),
        module("PlanListing", uses: steps + ["JSON", "Planning"]),
        module("CIConfig", uses: ["Text", "Files", "Expressions", "LaneModel", "YAML", "Diagnostics"]),

        module(
            "LaneValues", uses: ["Expressions", "LaneModel", "LaneRun", "Processes", "Secrets", "Diagnostics"]),
        module("CustomActions", uses: steps + ["Files", "Archives", "Secrets", "JSON"]),
        module(
            "ToolActions",
            uses: ["Files", "Expressions", "LaneModel", "LaneRun", "LaneEvents", "TestOutput", "Processes"]),
        module("Services", uses: steps + ["Text"]),
        module("Git", uses: ["Text", "Files", "LaneRun", "Processes", "Diagnostics"]),
        module(
            "LaneSources",
            uses: [
                "Text", "Files", "SemVer", "YAML", "Expressions", "LaneModel", "LaneRun", "Archives", "Processes",
                "Secrets", "Diagnostics", "JSON", "Git", "CustomActions",
            ]),
        module(
            "TestActions",
            uses: steps + [
                "Text", "Files", "JSON", "Threads", "Archives", "Coverage", "Reports", "Git",
                "ChangeImpact", "TestEngine", "TestArchives", "Merging", "ResultHistory", "Secrets",
            ]),
        module("Help", uses: ["Arguments", "Diagnostics", "Expressions", "LaneModel", "CIConfig", "LaneSources"]),
        module("Versioning", uses: steps + ["Text", "Files", "SemVer", "Git"]),
        module(
            "Packaging",
            uses: steps + ["Text", "Files", "SemVer", "TestOutput", "Archives", "JSON", "Git", "Versioning"]),
        module(
            "ReleaseTransaction",
            uses: [
                "Text", "Files", "SemVer", "Expressions", "LaneModel", "LaneRun", "Archives", "Processes",
                "Diagnostics", "JSON", "Git", "Versioning",
            ]),
        module("Documentation", uses: steps + ["Text", "Files", "JSON", "Packaging"]),
        module(
            "Publishing",
            uses: steps + [
                "Text", "Files", "SemVer", "Archives", "JSON", "Git", "Versioning", "Packaging", "ReleaseTransaction",
                "HTTP",
            ]),

        module(
            "LaneCommands",
            uses: steps + [
                "Arguments", "Files", "Text", "Threads", "JSON", "SemVer", "YAML", "Archives", "Planning", "TestOutput",
                "Reports", "TestEngine", "TestArchives", "Merging", "PlanListing", "LaneValues", "CustomActions",
                "PastRuns", "ToolActions", "TestActions", "CIConfig", "Help", "CBuild", "Services",
                "Git", "LaneSources", "Versioning", "Packaging", "ReleaseTransaction", "Documentation", "Publishing",
                "ResultHistory", "Secrets",
            ]),

        program("lane", uses: ["LaneCommands"]),
        .target(
            name: "TracerCommands",
            dependencies: ["Tracer", "TracerPictures", "Arguments", "Files", "Diagnostics", "JSON"],
            resources: [
                .embedInCode("Web/page.html"), .embedInCode("Web/page.css"), .embedInCode("Web/page.js"),
                .embedInCode("Web/engine.js"), .embedInCode("Web/drawing.js"),
            ], swiftSettings: strict),
        program("tracer-demo", uses: ["TracerCommands", "Files", "Diagnostics"]),

        .target(
            name: "TestSupport", dependencies: ["Archives", "Files", "JSON", "LaneEvents", "Processes", "Threads"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        tests("TestSupportTests", uses: ["TestSupport"]),
        tests("TracerTests", uses: ["Tracer", "Files", "Processes", "TestSupport"]),
        tests(
            "TracerViewsTests", uses: ["TracerViews", "Tracer", "Files", "Processes", "TestSupport"],
            exclude: ["StandIns"]),
        tests(
            "TracerWebTests",
            uses: ["TracerWeb", "TracerCommands", "Tracer", "Files", "Processes", "JSON", "TestSupport"],
            exclude: ["Harness"]),
        tests("TracerCommandsTests", uses: ["TracerCommands", "Tracer", "Diagnostics", "JSON", "TestSupport"]),
        tests("DiagnosticsTests", uses: ["Diagnostics", "TestSupport"]),
        tests("JSONTests", uses: ["JSON", "TestSupport"]),
        tests("FilesTests", uses: ["Files", "TestSupport"]),
        tests("TextTests", uses: ["Text"]),
        tests("ThreadsTests", uses: ["Threads"]),
        tests("ArgumentsTests", uses: ["Arguments", "Diagnostics", "TestSupport"]),
        tests("SemVerTests", uses: ["SemVer", "JSON", "TestSupport"], exclude: ["semver-cases.json"]),
        tests(
            "LaneValuesTests",
            uses: ["LaneValues", "LaneModel", "Expressions", "Processes", "Diagnostics", "TestSupport"]
        ),
        tests("CustomActionsTests", uses: ["CustomActions", "LaneModel", "Processes", "Diagnostics", "TestSupport"]),
        tests("ToolActionsTests", uses: ["ToolActions", "Expressions", "LaneModel", "LaneRun", "TestSupport"]),
        tests(
            "TestActionsTests",
            uses: steps + [
                "TestActions", "ChangeImpact", "Coverage", "TestEngine", "Git", "Text", "TestSupport",
            ]),
        tests("ServicesTests", uses: ["Services", "LaneModel", "Expressions"]),
        tests("YAMLTests", uses: ["YAML", "Diagnostics", "TestSupport"], exclude: ["Golden"]),
        tests("ExpressionsTests", uses: ["Expressions", "Diagnostics"]),
        tests("LaneEventsTests", uses: ["LaneEvents", "Threads", "Diagnostics", "JSON", "TestSupport"]),
        tests("CoverageTests", uses: ["Coverage", "Processes", "TestSupport"]),
        tests("ProcessesTests", uses: ["Processes", "Threads", "TestSupport"]),
        tests(
            "TracerPicturesTests", uses: ["TracerPictures", "Tracer", "CDeflate", "Processes", "TestSupport"],
            exclude: ["Golden"]),
        tests("ArchivesTests", uses: ["Archives", "TestSupport"]),
        tests(
            "LaneModelTests",
            uses: ["Expressions", "LaneModel", "Planning", "YAML", "JSON", "Processes", "Diagnostics", "TestSupport"],
            exclude: ["Golden"]),
        tests(
            "PlanningTests", uses: ["Planning", "Expressions", "LaneModel", "Diagnostics", "TestSupport"],
            exclude: ["Golden"]),
        tests("TestOutputTests", uses: ["TestOutput", "LaneEvents", "JSON", "TestSupport"], exclude: ["Golden"]),
        tests("StackTracesTests", uses: ["StackTraces", "LaneEvents", "TestSupport"], exclude: ["Recorded"]),
        tests(
            "ReportsTests", uses: ["Reports", "Coverage", "LaneEvents", "Diagnostics", "JSON", "TestSupport"],
            exclude: ["Golden"]),
        tests("PastRunsTests", uses: ["PastRuns", "LaneEvents", "Files", "Diagnostics", "TestSupport"]),
        tests(
            "ResultHistoryTests",
            uses: ["ResultHistory", "Reports", "LaneEvents", "Diagnostics", "Files", "TestSupport"],
            exclude: ["Golden"]),
        tests(
            "TestEngineTests",
            uses: [
                "TestEngine", "TestOutput", "StackTraces", "Coverage", "Processes", "Threads", "Text",
                "LaneEvents", "Diagnostics", "Files", "TestSupport",
            ]),
        tests("ChangeImpactTests", uses: ["ChangeImpact", "JSON", "TestSupport"]),
        tests("MergingTests", uses: ["Merging", "Coverage", "LaneEvents", "TestSupport"]),
        tests(
            "TestArchivesTests",
            uses: ["TestArchives", "TestEngine", "Archives", "LaneEvents", "Processes", "Files", "TestSupport"]),
        tests("SecretsTests", uses: ["Secrets", "Expressions", "LaneEvents", "Processes", "TestSupport"]),
        tests("LaneRunTests", uses: steps + ["Files", "Planning", "YAML", "Threads", "TestSupport"]),
        tests(
            "PlanListingTests",
            uses: [
                "PlanListing", "Expressions", "LaneModel", "Planning", "LaneRun", "Processes", "Diagnostics",
                "TestSupport",
            ], exclude: ["Golden"]),
        tests(
            "CIConfigTests", uses: ["CIConfig", "LaneModel", "YAML", "Diagnostics", "TestSupport"], exclude: ["Golden"]),
        tests("HelpTests", uses: ["Help", "Arguments", "LaneModel", "Diagnostics", "YAML", "TestSupport"]),
        .target(
            name: "ReleaseFixtures",
            dependencies: [
                "Diagnostics", "Expressions", "LaneEvents", "LaneModel", "LaneRun", "Processes", "ReleaseTransaction",
                "TestSupport", "Versioning",
            ],
            path: "Tests/ReleaseFixtures", swiftSettings: strict),
        tests("GitTests", uses: ["Git"]),
        tests(
            "LaneSourcesTests",
            uses: ["LaneSources", "Git", "LaneRun", "Processes", "Files", "Diagnostics", "TestSupport"]),
        tests(
            "VersioningTests",
            uses: steps + [
                "Versioning", "SemVer", "Git", "ReleaseTransaction", "Publishing", "ReleaseFixtures", "TestSupport",
            ]),
        tests(
            "PackagingTests",
            uses: steps + ["Packaging", "JSON", "SemVer", "Archives", "Git", "ReleaseFixtures", "TestSupport"]),
        tests(
            "ReleaseTransactionTests",
            uses: steps + ["ReleaseTransaction", "Versioning", "Publishing", "ReleaseFixtures", "TestSupport"]),
        tests("DocumentationTests", uses: ["Documentation"]),
        tests(
            "PublishingTests",
            uses: steps + [
                "Publishing", "SemVer", "Archives", "Versioning", "Packaging", "ReleaseTransaction", "ReleaseFixtures",
                "TestSupport",
            ]),
        tests(
            "LaneCommandsTests",
            uses: [
                "LaneCommands", "Arguments", "Diagnostics", "Files", "LaneEvents", "LaneModel", "Planning", "Processes",
                "Reports", "TestActions", "TestSupport",
            ], exclude: ["Golden"]),
        tests(
            "EndToEndTests", uses: ["lane", "tracer-demo", "TestSupport", "Files", "Processes", "Threads", "JSON"],
            exclude: ["Fixtures", "Golden"]),
        tests("HouseRulesTests", uses: ["TestSupport", "Diagnostics", "Files", "JSON", "Processes"]),
    ],
    swiftLanguageModes: [.v6]
)
