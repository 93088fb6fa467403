#if hasFeature(Embedded)
    /// A stand-in, because Embedded Swift has no coding; types conform to it in name only.
    public protocol Codable {}
#endif
