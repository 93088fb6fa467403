import CBuild

/// The version of `lane`, which `lane release` updates.
enum LaneVersion {
    static let current = "0.1.0"

    /// The address of the repository that `lane` was built from, or empty if it is unknown. CI jobs fetch `lane` from
    /// it.
    static let repository = LANE_REPOSITORY
}
