import CBuild

/// The version of `lane`, which `lane release` updates.
enum LaneVersion {
    static let current = "0.1.0"

    /// The address of the repository that `lane` was built from, where CI jobs fetch it; empty if it is not known.
    static let repository = LANE_REPOSITORY
}
