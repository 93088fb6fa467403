import ActionFixtures
import Actions
import Expressions
import Packaging
import TestSupport
import Testing

extension GitFixture {
    /// Commits everything, packages it as version 1.0.0, and unpacks the archive in `../out`.
    func packAndUnpack(events: RecordedEvents = RecordedEvents(), environment: [String: String] = [:]) throws {
        try write(".build/\ndist/\n", to: ".gitignore")
        try commit("Begin")
        let result = try run(PackageAction(), ["version": .string("1.0.0")], events: events, environment: environment)
        let archive = try #require(result.outputs["archive"]?.text)
        try shell("mkdir ../out && tar xzf \(archive) -C ../out --strip-components 1")
    }

    /// Returns what a program prints that links the unpacked libraries.
    func output(of program: String, linking options: String) throws -> String {
        try write(program, to: "../out/main.swift")
        return try shell("cd ../out && swiftc main.swift -I lib -L lib \(options) -o m && ./m")
    }
}
