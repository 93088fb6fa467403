/// Patterns for the messages of Xcode errors without the word `error`: code signing, provisioning, the Swift version.
enum BuildCause {
    private static let beginnings: [StaticString] = [
        "Code Signing Error: ", "Code Sign error: ", "CodeSign error: ", "[BCEROR]", "Code signing is required for ",
        "Code signing \"", "No profiles for ", "No profile matching ", "No profile for ", "No provisioning profile",
        "No certificate matching ", "No certificate for ", "No signing certificate ", "No account for team ",
        "No Accounts: ", "None of your accounts ", "Failed to create provisioning profile", "Failed Registering Bundle",
        "Xcode couldn't find ", "Swift is unavailable", "Use Legacy Swift Language Version",
        "“Use Legacy Swift Language Version”", "The “Swift Language Version”", "The \"Swift Language Version\"",
        "The 'Swift Language Version'", "User interaction is not allowed.", "Unable to find a destination matching",
        "Unable to find a device matching",
    ]

    /// The texts after the name of a target or a profile.
    private static let predicates: [StaticString] = [
        " requires a provisioning profile", " requires a development team", " requires selecting either a development",
        " has conflicting provisioning settings", " has entitlements that require signing",
        " is automatically signed, but ", " is automatically signed for ", ": errSecInternalComponent",
    ]

    /// The texts after `Provisioning profile "<name>"`.
    private static let profileProblems: [StaticString] = [
        " doesn't ", " doesn’t ", " does not ", " has expired", " expired ", " is not ", " isn't ", " isn’t ",
        " cannot be used", " has app ID ", " belongs to ",
    ]

    static func matches(_ text: Bytes) -> Bool {
        if beginnings.contains(where: text.hasPrefix) { return true }
        if text.hasPrefix("Provisioning profile ") {
            return profileProblems.contains { text.firstIndex(of: $0) != nil }
        }
        switch text[0] {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "\""),
            UInt8(ascii: "/"):
            return predicates.contains { text.firstIndex(of: $0) != nil }
        default: return false
        }
    }

    /// Returns a Boolean value that indicates whether a line is an error of the linker itself, such as `ld: framework
    /// not found Foo`.
    static func isLinkError(_ text: Bytes) -> Bool {
        text.hasPrefix("ld: ") && !text.hasPrefix("ld: warning: ")
            || text.hasPrefix("Undefined symbols for architecture ") || text.hasPrefix("duplicate symbol ")
    }
}
