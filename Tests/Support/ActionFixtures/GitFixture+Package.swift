package import TestSupport

extension GitFixture {
    /// Writes files as a build, a run and an earlier `package` of a user do, and a `.gitignore` that lists them.
    package func writeBuildProducts() throws {
        try write(".build\n.lane\ndist\n", to: ".gitignore")
        for file in [".build/debug/out", ".lane/log/last", "dist/earlier.zip"] { try write("made\n", to: file) }
    }

    /// Returns a package that was built before, with a commit since its last tag, 1.0.0.
    ///
    /// - Parameter script: The shell script that writes its other files.
    package static func released(_ script: String) throws -> GitFixture {
        let fixture = try GitFixture("shape")
        try fixture.write("let package = Package(name: \"Shape\")\n", to: "Package.swift")
        try fixture.writeBuildProducts()
        try fixture.shell("mkdir -p Sources/Shape App Shape.xcodeproj docs\n\(script)")
        try fixture.commit("Begin")
        try fixture.git("tag 1.0.0")
        try fixture.commit("feat: corners")
        return fixture
    }

    /// Returns a package that contains its version in all formats.
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
