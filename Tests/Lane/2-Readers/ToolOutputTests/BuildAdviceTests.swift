import Events
import Testing

@testable import ToolOutput

@Suite struct BuildAdviceTests {
    private static let cache = "/home/a/.cache/org.swift.swiftpm/repositories"

    @Test(arguments: [
        (
            "Fetching https://a.test/shapes.git\nFetching https://a.test/shapes-kit.git\n"
                + "error: Git command 'git -C \(cache)/shapes-kit-54a11a8d config' failed: cannot change to it\n",
            "the dependency 'https://a.test/shapes-kit.git' could not be fetched"
        ),
        (
            "Fetching git@a.test:b/shapes\nerror: Git command 'git -C \(cache)/shapes-5 config' failed\n",
            "the dependency 'git@a.test:b/shapes' could not be fetched"
        ),
        (
            "Fetching https://a.test/x\nerror: Failed to clone repository https://a.test/x:\n",
            "the dependency 'https://a.test/x' could not be fetched"
        ),
        ("error: Could not resolve host: a.test\n", "a dependency could not be fetched"),
        (
            "error: 'p': package 'p' is using Swift tools version 3.1.0 which is no longer supported; consider\n",
            "Package.swift names no Swift version that the toolchain supports"
        ),
        (
            "error: 'p': package 'p' is using Swift tools version 99.0.0 but the installed version is 6.3.1\n",
            "the package needs a newer toolchain"
        ),
        ("error: invalid access to /p/.build/repositories\n", "the build directory cannot be written"),
        (
            "error: error: accessing build database \"/p/.build/build.db\": attempt to write a readonly database\n",
            "the build directory cannot be written"
        ),
        (
            "error: unable to open output file '/h/.cache/clang/a.pcm': 'Permission denied'\n",
            "a cache in the home directory cannot be written"
        ),
        (
            "error: the package manifest at '/p/vendor/a/Package.swift' cannot be accessed (/p/vendor/a/Package.swift "
                + "doesn't exist in file system)\n",
            "the directory of a dependency has no Package.swift"
        ),
        ("error: invalid access to /tmp/p.build.lock\n", "a file cannot be written"),
        (
            "error: module 'SwiftShims' is needed but has not been provided, and implicit use of module files is "
                + "disabled\nerror: missing required module 'SwiftShims'\n",
            "a cache in the home directory cannot be written"
        ),
        (
            "error: module '_Builtin_stddef' is defined in both '/p/one/.build/a.pcm' and '/p/two/.build/a.pcm'\n"
                + "error: missing required module 'SwiftOverlayShims'\n",
            "the build directory was used at another path, so its contents are invalid"
        ),
    ])
    func errorsHaveAdvice(_ output: String, _ advice: String) throws {
        var parser = BuildOutputParser(root: "/p")
        var notes: [String] = []
        let emit: (LaneEvent.Kind) -> Void = {
            if case .buildDiagnostic(let diagnostic) = $0, diagnostic.severity == .note {
                notes.append(diagnostic.message)
            }
        }
        Array(output.utf8).withUnsafeBytes { parser.consume($0, emit: emit) }
        parser.finish(emit: emit)
        #expect(notes.map { $0.split(separator: "\n").first.map(String.init) } == [advice])
    }
}
