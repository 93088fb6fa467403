import CLibrary
package import OperatingSystem

/// Returns the environment of the test process, for children that need its `PATH` and home directory.
package func processEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
        let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
        entry += 1
    }
    return result
}

/// Returns the environment of the test process with a `swift` that builds packages faster; see `Fixtures/tools/swift`.
package func buildEnvironment() -> [String: String] {
    var result = processEnvironment()
    result["PATH"] = "\(repositoryRoot)/Tests/EndToEndTests/Fixtures/tools:" + (result["PATH"] ?? "/usr/bin:/bin")
    return result
}

extension ChildRunner {
    /// Creates a runner for the test process, which `lane test` may have started.
    package init() { self.init(mark: processEnvironment()[ChildMark.child]) }
}
