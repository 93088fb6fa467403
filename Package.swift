// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors, and an import reaches a signature only when it says so.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Compiles each module of `lane` as a whole in debug builds, too, which saves a third of the processor time of a clean
/// build. One thread for each module suffices, but with none there would be one object file where SwiftPM expects many.
/// Tracer does without, because SwiftPM refuses dependencies with unsafe flags.
let whole: [SwiftSetting] =
    strict + [
        .unsafeFlags(
            [
                "-wmo", "-num-threads", "1", "-disable-batch-mode", "-no-emit-module-separately-wmo",
                "-index-ignore-system-modules",
            ], .when(configuration: .debug))
    ]

/// The floors of `lane`. A module uses only modules of lower floors.
enum Floor: String {
    case foundations = "0-Foundations"
    case basics = "1-Basics"
    case readers = "2-Readers"
    case models = "3-Models"
    case engines = "4-Engines"
    case features = "5-Features"
    case commands = "6-Commands"
    case program = "7-Program"
}

func module(_ name: String, on floor: Floor, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Lane/\(floor.rawValue)/\(name)", swiftSettings: whole)
}

func tests(
    _ name: String, on floor: Floor, uses dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/Lane/\(floor.rawValue)/\(name)", exclude: exclude,
        swiftSettings: whole)
}

func library(_ name: String, package: String, header: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/Lane/C/\(name)", pkgConfig: header,
        providers: [.apt([package]), .brew([String(package.prefix { $0 != "-" })])])
}

/// What `ci/lane` states about the sources of the optimized program.
let buildFacts: [CSetting] = ["LANE_REPOSITORY", "LANE_COMMIT"].compactMap { name in
    Context.environment["BUILD_\(name)"].map { .define(name, to: "\"\($0)\"") }
}

/// A module of Tracer, which `lane` does not use.
func tracer(
    _ name: String, uses dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = [],
    links: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Tracer/\(name)", exclude: exclude, resources: resources,
        swiftSettings: strict, linkerSettings: links)
}

func tracerTests(_ name: String, uses dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/Tracer/\(name)", exclude: exclude, swiftSettings: strict)
}

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
        // Tracer: the library, its views, pictures, web page and demo.
        tracer(
            "Tracer",
            // A square root is a function of the system's mathematics for numbers below 0, and in debug builds for all.
            links: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        tracer("TracerViews", uses: ["Tracer"]),
        tracer("TracerWeb", uses: ["Tracer"], exclude: ["Runtime"]),
        tracer("TracerPictures", uses: ["Tracer", "CDeflate"]),
        tracer(
            "TracerCommands", uses: ["Tracer", "TracerPictures", "Text", "OperatingSystem", "Arguments"],
            resources: [
                .embedInCode("Web/page.html"), .embedInCode("Web/page.css"), .embedInCode("Web/page.js"),
                .embedInCode("Web/engine.js"), .embedInCode("Web/drawing.js"), .embedInCode("Web/words.js"),
                .embedInCode("Web/sound.js"), .embedInCode("Web/progress.js"), .embedInCode("Web/panel.js"),
                .embedInCode("Web/icon.svg"), .embedInCode("Web/app.webmanifest"), .embedInCode("Web/worker.js"),
            ]),
        .executableTarget(
            name: "tracer-demo", dependencies: ["TracerCommands", "Text", "OperatingSystem"],
            path: "Sources/Tracer/tracer-demo", swiftSettings: strict),

        // C libraries and headers.
        library("CYaml", package: "libyaml-dev", header: "yaml-0.1"),
        library("CDeflate", package: "libdeflate-dev", header: "libdeflate"),
        library("CNettle", package: "nettle-dev", header: "nettle"),
        .systemLibrary(name: "CSpawn", path: "Sources/Lane/C/CSpawn"),
        .target(name: "CBuild", path: "Sources/Lane/C/CBuild", cSettings: buildFacts),
        .systemLibrary(name: "CDemangle", path: "Sources/Lane/C/CDemangle"),
        .target(name: "CLibrary", path: "Sources/Lane/C/CLibrary", swiftSettings: whole),

        // lane, floor by floor.
        module("Text", on: .foundations),
        module("OperatingSystem", on: .basics, uses: ["CLibrary", "CSpawn", "Text"]),
        module("YAML", on: .basics, uses: ["CYaml", "Text"]),
        module("Expressions", on: .basics, uses: ["Text"]),
        module("Arguments", on: .basics, uses: ["Text"]),
        module("Events", on: .basics, uses: ["CLibrary", "Text"]),
        module("Archives", on: .readers, uses: ["CLibrary", "CDeflate", "CNettle", "Text", "OperatingSystem"]),
        module("Git", on: .readers, uses: ["Text", "OperatingSystem"]),
        module("ToolOutput", on: .readers, uses: ["CLibrary", "CDemangle", "Text", "Events"]),
        module("LaneModel", on: .readers, uses: ["Text", "YAML", "Expressions"]),
        module("SwiftPackages", on: .models, uses: ["CLibrary", "Text", "OperatingSystem", "Events", "ToolOutput"]),
        module("Reports", on: .models, uses: ["Text", "OperatingSystem", "Events", "ToolOutput"]),
        module("Actions", on: .models, uses: ["Text", "OperatingSystem", "Expressions", "Events", "Git", "LaneModel"]),
        module("CI", on: .models, uses: ["Text", "OperatingSystem", "YAML", "Expressions", "LaneModel"]),
        module(
            "TestEngine", on: .engines,
            uses: ["CLibrary", "Text", "OperatingSystem", "Events", "Archives", "ToolOutput", "SwiftPackages"]),
        module(
            "Records", on: .engines, uses: ["CLibrary", "Text", "OperatingSystem", "Events", "Archives", "ToolOutput"]),
        module("ChangeImpact", on: .engines, uses: ["Text", "OperatingSystem", "SwiftPackages"]),
        module("APIComparison", on: .engines, uses: ["Text", "OperatingSystem", "Events", "SwiftPackages"]),
        module(
            "StepActions", on: .engines,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Expressions", "Events", "Archives", "ToolOutput", "LaneModel",
                "SwiftPackages", "Actions",
            ]),
        module(
            "Versioning", on: .engines,
            uses: [
                "Text", "OperatingSystem", "Expressions", "Events", "Git", "LaneModel", "SwiftPackages", "Actions",
            ]),
        module(
            "Runner", on: .features,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Expressions", "Events", "Archives", "Git", "LaneModel",
                "Actions", "Records",
            ]),
        module(
            "TestActions", on: .features,
            uses: [
                "Text", "OperatingSystem", "Expressions", "Events", "Archives", "Git", "ToolOutput", "LaneModel",
                "SwiftPackages", "Reports", "Actions", "TestEngine", "Records", "ChangeImpact",
            ]),
        module(
            "Packaging", on: .features,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Expressions", "Arguments", "Events", "Archives", "Git",
                "LaneModel", "SwiftPackages", "Actions", "Versioning", "APIComparison",
            ]),
        module(
            "RemoteLanes", on: .features,
            uses: [
                "Text", "OperatingSystem", "YAML", "Expressions", "Archives", "Git", "LaneModel", "StepActions",
            ]),
        module(
            "Release", on: .commands,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Expressions", "Events", "Archives", "Git", "LaneModel",
                "SwiftPackages", "Actions", "Versioning", "Packaging",
            ]),
        module(
            "LaneCommands", on: .commands,
            uses: [
                "CLibrary", "CBuild", "Text", "OperatingSystem", "Expressions", "Arguments", "Events", "Archives",
                "Git", "ToolOutput", "LaneModel", "SwiftPackages", "Reports", "Actions", "CI", "TestEngine", "Records",
                "StepActions", "Runner", "TestActions", "RemoteLanes",
            ]),
        .executableTarget(
            name: "lane",
            dependencies: [
                "CLibrary", "Text", "OperatingSystem", "Arguments", "StepActions", "Versioning", "TestActions",
                "Packaging", "Release", "LaneCommands",
            ],
            path: "Sources/Lane/7-Program/lane", swiftSettings: whole),

        // Tests, and what they share.
        .target(
            name: "TestSupport", dependencies: ["CLibrary", "Text", "OperatingSystem", "Archives"],
            path: "Tests/Support/TestSupport", swiftSettings: whole),
        .target(
            name: "LaneFixtures", dependencies: ["Text", "Expressions", "LaneModel"],
            path: "Tests/Support/LaneFixtures", swiftSettings: whole),
        .target(
            name: "ActionFixtures",
            dependencies: ["OperatingSystem", "Expressions", "Events", "LaneModel", "Actions", "TestSupport"],
            path: "Tests/Support/ActionFixtures", swiftSettings: whole),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport"], path: "Tests/Support/TestSupportTests",
            swiftSettings: whole),
        .testTarget(
            name: "HouseRulesTests", dependencies: ["CLibrary", "Text", "OperatingSystem", "TestSupport"],
            path: "Tests/HouseRulesTests", swiftSettings: whole),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["CLibrary", "lane", "tracer-demo", "Text", "OperatingSystem", "TestSupport"],
            path: "Tests/EndToEndTests", exclude: ["Fixtures", "Golden"], swiftSettings: whole),

        tracerTests("TracerTests", uses: ["Tracer", "OperatingSystem", "TestSupport"]),
        tracerTests(
            "TracerViewsTests", uses: ["TracerViews", "Tracer", "OperatingSystem", "TestSupport"], exclude: ["StandIns"]
        ),
        tracerTests(
            "TracerWebTests",
            uses: ["TracerWeb", "TracerCommands", "Tracer", "Text", "OperatingSystem", "TestSupport"],
            exclude: ["Harness"]),
        tracerTests(
            "TracerCommandsTests", uses: ["TracerCommands", "Tracer", "Text", "OperatingSystem", "TestSupport"],
            exclude: ["Traces"]),
        tracerTests(
            "TracerPicturesTests", uses: ["TracerPictures", "Tracer", "CDeflate", "OperatingSystem", "TestSupport"],
            exclude: ["Golden"]),

        tests("TextTests", on: .foundations, uses: ["Text", "TestSupport"], exclude: ["Versions/semver-cases.json"]),
        tests("OperatingSystemTests", on: .basics, uses: ["CLibrary", "OperatingSystem", "TestSupport"]),
        tests("YAMLTests", on: .basics, uses: ["Text", "YAML", "TestSupport"], exclude: ["Golden"]),
        tests("ExpressionsTests", on: .basics, uses: ["Text", "Expressions"]),
        tests("ArgumentsTests", on: .basics, uses: ["Arguments"]),
        tests("EventsTests", on: .basics, uses: ["Text", "OperatingSystem", "Events", "TestSupport"]),
        tests("ArchivesTests", on: .readers, uses: ["CLibrary", "OperatingSystem", "Archives", "TestSupport"]),
        tests("GitTests", on: .readers, uses: ["OperatingSystem", "Git", "TestSupport"]),
        tests(
            "ToolOutputTests", on: .readers, uses: ["OperatingSystem", "Events", "ToolOutput", "TestSupport"],
            exclude: ["Golden", "Stacks/Recorded"]),
        tests(
            "LaneModelTests", on: .readers,
            uses: ["Text", "OperatingSystem", "Expressions", "LaneModel", "TestSupport", "LaneFixtures"],
            exclude: ["Golden"]),
        tests("SwiftPackagesTests", on: .models, uses: ["Text", "SwiftPackages"]),
        tests(
            "ReportsTests", on: .models,
            uses: ["CLibrary", "Text", "OperatingSystem", "Events", "ToolOutput", "Reports", "TestSupport"],
            exclude: ["Golden"]),
        tests(
            "ActionsTests", on: .models,
            uses: ["OperatingSystem", "Expressions", "Events", "LaneModel", "Actions", "TestSupport"]),
        tests(
            "CITests", on: .models, uses: ["Text", "YAML", "LaneModel", "CI", "TestSupport", "LaneFixtures"],
            exclude: ["Golden"]),
        tests(
            "TestEngineTests", on: .engines,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Events", "Archives", "ToolOutput", "TestEngine", "TestSupport",
            ]),
        tests(
            "RecordsTests", on: .engines,
            uses: ["CLibrary", "Text", "OperatingSystem", "Events", "ToolOutput", "Records", "TestSupport"],
            exclude: ["Results/Golden"]),
        tests(
            "APIComparisonTests", on: .engines,
            uses: ["Text", "OperatingSystem", "Events", "SwiftPackages", "APIComparison", "TestSupport"]),
        tests("ChangeImpactTests", on: .engines, uses: ["Text", "SwiftPackages", "ChangeImpact", "TestSupport"]),
        tests(
            "StepActionsTests", on: .engines,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Expressions", "Events", "LaneModel", "Actions", "StepActions",
                "TestSupport", "ActionFixtures",
            ]),
        tests(
            "VersioningTests", on: .engines,
            uses: [
                "Text", "OperatingSystem", "Expressions", "Events", "Git", "LaneModel", "Actions", "Versioning",
                "TestSupport", "ActionFixtures",
            ]),
        tests(
            "RunnerTests", on: .features,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "YAML", "Expressions", "Events", "Git", "LaneModel", "Actions",
                "Records", "StepActions", "Runner", "TestSupport", "LaneFixtures",
            ], exclude: ["Listing/Golden"]),
        tests(
            "TestActionsTests", on: .features,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Expressions", "Events", "Git", "ToolOutput", "LaneModel",
                "Actions", "TestEngine", "ChangeImpact", "TestActions", "TestSupport",
            ]),
        tests(
            "PackagingTests", on: .features,
            uses: [
                "Text", "OperatingSystem", "Expressions", "Events", "Archives", "Git", "LaneModel", "SwiftPackages",
                "Actions", "APIComparison", "Packaging", "TestSupport", "ActionFixtures",
            ]),
        tests(
            "RemoteLanesTests", on: .features, uses: ["Text", "OperatingSystem", "Git", "RemoteLanes", "TestSupport"]),
        tests(
            "ReleaseTests", on: .commands,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Expressions", "Events", "Archives", "Git", "LaneModel",
                "SwiftPackages", "Actions", "Versioning", "Packaging", "Release", "TestSupport", "ActionFixtures",
            ]),
        tests(
            "LaneCommandsTests", on: .commands,
            uses: [
                "Text", "OperatingSystem", "Arguments", "Events", "Git", "LaneModel", "Actions", "Runner",
                "TestActions", "LaneCommands", "TestSupport",
            ]),
        tests(
            "LaneTests", on: .program,
            uses: [
                "CLibrary", "Text", "OperatingSystem", "Arguments", "Events", "LaneModel", "Reports", "LaneCommands",
                "lane", "TestSupport", "LaneFixtures",
            ], exclude: ["Golden"]),
    ],
    swiftLanguageModes: [.v6]
)
