#if hasFeature(Embedded)
    /// An empty replacement for the standard library's protocol, which Embedded Swift lacks.
    public protocol Codable {}
#endif
