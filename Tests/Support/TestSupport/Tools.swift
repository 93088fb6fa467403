import CLibrary

/// Returns a Boolean value that indicates whether an optional program that a test needs is installed.
package func hasTool(_ name: String) -> Bool {
    let directories = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return directories.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
}
