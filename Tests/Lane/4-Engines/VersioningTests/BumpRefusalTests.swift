import ActionFixtures
import Actions
import Expressions
import OperatingSystem
import TestSupport
import Testing
import Versioning

@Suite(.startsPrograms) struct BumpRefusalTests {
    private static let expected =
        "expected three numbers such as 1.2.3, or major, minor, patch, premajor, preminor, prepatch, prerelease, "
        + "release or auto"

    /// The settings, the content of the repository, and the error.
    @Test(arguments: [
        ("v0.2.0", "", "'v0.2.0' is not a version: \(expected)\nhint: remove the 'v': 0.2.0"),
        ("next", "", "'next' is not a version: \(expected)"),
        ("0.1.0", "git tag 0.1.0", "0.1.0 is not greater than the last release, 0.1.0"),
        (
            "0.2.0-rc10", "git tag 0.2.0-rc9",
            """
            0.2.0-rc10 is not greater than the last release, 0.2.0-rc9
            hint: versions compare 'rc10' and 'rc9' as text; release 0.2.0, or 0.2.0-rc9.1
            """
        ),
        ("0.2.0-beta10", "git tag 0.2.0-rc9", "0.2.0-beta10 is not greater than the last release, 0.2.0-rc9"),
        ("0.0.9", "", "0.0.9 is less than 0.1.0, the version in files"),
        (
            "0.3.0", "git switch -qc x; git commit -qm x --allow-empty; git tag 0.3.0; git switch -q main",
            "the tag '0.3.0' already exists\nhint: HEAD is not a descendant of it; name a version above 0.3.0"
        ),
        (
            "0.2.0", "sed -i s/0.1.0/0.1.1/ Shape.podspec",
            "the files contain different versions: A.xcodeproj/project.pbxproj:1 has 0.1.0, "
                + "A.xcodeproj/project.pbxproj:2 has 0.1.0, App/Info.plist:3 has 0.1.0, Shape.podspec:2 has 0.1.1, "
                + "Sources/Shape/ShapeVersion.swift:3 has 0.1.0\nhint: list the right files in 'files' of 'bump'"
        ),
    ])
    func badVersionsAreRefusedBeforeAnyWrite(version: String, script: String, message: String) throws {
        let fixture = try GitFixture.package()
        if !script.isEmpty { try fixture.shell(script) }
        let before = try fixture.state()
        let failure = fixture.refusal(of: BumpAction(), ["version": .string(version)])
        #expect(failure?.message == message)
        #expect(failure?.status == 65)
        #expect(try fixture.state() == before)
    }

    @Test func tagsThatAreNoVersionsAreNamed() throws {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"Plain\")\n", to: "Package.swift")
        try fixture.commit("Begin")
        let message = { fixture.refusal(of: BumpAction(), ["version": .string("minor")])?.message }
        let hint = "hint: set the version, for example 0.1.0"
        #expect(message() == "there is no earlier version\n\(hint)")
        try fixture.shell("git tag 2023.12.01; git tag v2024.01.15; git tag nightly.3")
        #expect(message() == "there is no earlier version: 'v2024.01.15' is no semantic version\n\(hint)")
    }
}
