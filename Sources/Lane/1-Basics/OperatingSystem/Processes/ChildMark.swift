import Text

/// The environment variables that identify processes started by `lane`.
package enum ChildMark {
    /// The slot of the leader, after the mark of an outer `lane`.
    package static let child = "LANE_CHILD"
    /// The directory of the run.
    package static let root = "LANE_ROOT"

    /// Returns the mark of the leader in a slot: the slot, after the mark of this process if another `lane` started it.
    ///
    /// The mark does not depend on the command's environment. Otherwise, the mark of one leader could be a prefix of
    /// another leader's mark, and `lane` would end processes of the wrong leader.
    ///
    /// - Parameter outer: The mark of this process, if it has one.
    static func leader(in slot: Int, below outer: String?) -> String { outer.map { "\($0)/\(slot)" } ?? String(slot) }

    /// The separator in place of `=` in a hidden variable. The system keeps such an entry, but programs do not find the
    /// variable.
    package static let hidingSeparator = UInt8(ascii: ":")

    /// Returns the name of a `lane` process that another `lane` started: a hash of the directory of the outer run.
    ///
    /// Other processes of the user can read the name, but not the environment of `lane`. A name has at most 15 bytes.
    static func processName(outerRoot: String) -> String {
        "lane:" + String(StableHash(of: outerRoot).value >> 24, radix: 16)
    }

    /// Returns the value of a mark, visible or hidden, in the entries of an environment.
    static func value(of name: String, in entries: some Sequence<ArraySlice<UInt8>>) -> ArraySlice<UInt8>? {
        let name = Array(name.utf8)
        for entry in entries where entry.starts(with: name) {
            let separator = entry.dropFirst(name.count).first
            guard separator == UInt8(ascii: "=") || separator == hidingSeparator else { continue }
            return entry.dropFirst(name.count + 1)
        }
        return nil
    }
}
