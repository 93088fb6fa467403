#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension TestRunResults {
    /// The operating system and the processor of this process, such as `linux-x86_64`.
    package static var ownMachine: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(names.sysname).lowercased())-\(text(names.machine))"
    }
}
