#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whether a program that a test needs, and that is not part of every system, can be found.
package func hasTool(_ name: String) -> Bool {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
}
