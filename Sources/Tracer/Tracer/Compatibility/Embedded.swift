#if hasFeature(Embedded)
    /// An empty replacement for the standard library's protocol, which Embedded Swift lacks.
    package protocol Codable {}
#endif
