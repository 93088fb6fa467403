/// The version of this library, as `lane release` writes it.
public enum TracerVersion {
    /// A Semantic Version 2.0.0.
    public static let current = "0.1.0"
}
