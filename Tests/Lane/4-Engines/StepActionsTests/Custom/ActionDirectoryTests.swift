import CLibrary
import LaneModel
import OperatingSystem
import StepActions
import TestSupport
import Testing
import Text

@Suite struct ActionDirectoryTests {
    private let directory = Result { try TemporaryDirectory() }

    @Test func describesExecutablesAndReportsTheOthers() throws {
        let root = try directory.get().path
        try write("send", #"echo '{"summary": "Send", "settings": [{"name": "text"}]}'"#)
        try write("broken", "echo 1")
        try write("build", "echo '{}'")
        try write("failing", "exit 3")
        try directory.get().write("No program", to: "Lanes/actions/notes.txt")
        try directory.get().write("#!/bin/sh\n", to: "Lanes/actions/new one")
        let found = load(ActionDirectory(of: root))
        #expect(found.schemas.map(\.name) == ["send"])
        #expect(found.undescribed == ["broken", "build", "failing", "new one"])
        #expect(
            found.diagnostics.all.map(\.message) == [
                "expected an object, found a number", "'build' is not a valid name for an action",
                "'Lanes/actions/failing describe' failed with exit status 3",
                "'Lanes/actions/new one' is not executable",
            ])
        #expect(found.diagnostics.all.last?.hint == "chmod +x 'Lanes/actions/new one'")
        let other = load(ActionDirectory("\(root)/Lanes/actions", prefix: "shared/", root: root))
        #expect(other.schemas.map(\.name) == ["shared/send"])
        #expect(other.undescribed == ["shared/broken", "shared/build", "shared/failing", "shared/new one"])
        // The file in the cache is not the one to change.
        #expect(other.diagnostics.all.last?.message == "the action 'shared/new one' is not executable")
        #expect(
            other.diagnostics.all.last?.hint
                == "in the repository of 'shared', release the change of: git update-index --chmod=+x 'Lanes/actions/new one'"
        )
    }

    @Test("A description is cached until the executable changes, in a package with earlier runs")
    func cachesDescriptions() throws {
        let root = try directory.get().path
        try directory.get().write("", to: ".lane/.gitignore")
        let count = #"echo x >> count; echo '{"summary": "SUMMARY"}'"#
        try write("send", count)
        let actions = ActionDirectory(of: root)
        for _ in 1...3 { #expect(load(actions).schemas.count == 1) }
        #expect(try directory.get().read("count") == "x\n")
        #expect(load(actions, ignoresCache: true).schemas.count == 1)
        #expect(try directory.get().read("count") == "x\nx\n")
        try write("send", count.replacing("SUMMARY", with: "Other"))
        // A completion runs nothing.
        let found = actions.load(besides: [], ignoresCache: false, seenFrom: root, environment: [:]) { nil }
        #expect(found.schemas.isEmpty && found.undescribed == ["send"] && found.diagnostics.all.isEmpty)
        #expect(load(actions).schemas.first?.summary == "Other")
    }

    /// Reading a sparse file of 64 GB would take all memory.
    @Test func onlyTheStartOfDataIsRead() throws {
        let root = try directory.get().path
        try directory.get().write("", to: "Lanes/actions/data")
        #expect(truncate("\(root)/Lanes/actions/data", 1 << 36) == 0)
        #expect(load(ActionDirectory(of: root)).diagnostics.all.isEmpty)
    }

    @Test func aDirectoryThatCannotBeListedIsAnError() throws {
        let root = try directory.get().path
        #expect(load(ActionDirectory(of: root)).diagnostics.all.isEmpty)
        try makeDirectories("\(root)/Lanes")
        #expect(symlink("actions", "\(root)/Lanes/actions") == 0)
        let message = "could not read '\(root)/Lanes/actions': Too many levels of symbolic links"
        #expect(load(ActionDirectory(of: root)).diagnostics.all.map(\.message) == [message])
    }

    private func write(_ name: String, _ script: String) throws {
        try directory.get().write("#!/bin/sh\n\(script)\n", to: "Lanes/actions/\(name)", mode: 0o755)
    }

    private func load(_ actions: ActionDirectory, ignoresCache: Bool = false) -> ActionDirectory.Descriptions {
        actions.load(
            besides: ["build"], ignoresCache: ignoresCache, seenFrom: (try? directory.get().path) ?? "/",
            environment: processEnvironment()
        ) {
            ChildRunner()
        }
    }
}
