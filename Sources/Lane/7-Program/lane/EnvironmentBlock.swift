@preconcurrency import CLibrary
import OperatingSystem

// `environ` is a mutable global variable, so it is changed before threads start.
/// The environment variables in the memory that the system shows to other processes, as in `/proc/<pid>/environ`.
enum EnvironmentBlock {
    /// The variables that remain, because this process, its libraries or an outer `lane` read them there.
    private static let remaining: [StaticString] = ["LANE_CHILD", "LANE_ROOT", "TZ", "LLVM_PROFILE_FILE"]

    /// Overwrites all variables except those that are read there.
    ///
    /// The result does not depend on the secrets that lanes declare. Some of these are known only after a first child
    /// process, the `git` that fetches the lanes of another repository. Children get their variables from `World`.
    static func clear() {
        var next = environ
        var end = environ
        while let entry = next.pointee {
            if remains(entry) {
                end.pointee = entry
                end += 1
            } else {
                memset(entry, 0, strlen(entry))
            }
            next += 1
        }
        end.pointee = nil
    }

    private static func remains(_ entry: UnsafeMutablePointer<CChar>) -> Bool {
        remaining.contains { value(of: $0, in: entry) != nil }
    }

    /// The directory of the outer run, or `nil` if no `lane` started this process. The variable may be hidden.
    static var outerRoot: String? {
        var next = environ
        while let entry = next.pointee {
            if let root = value(of: "LANE_ROOT", in: entry) { return String(cString: root) }
            next += 1
        }
        return nil
    }

    /// Returns the value of a variable if an entry of the environment contains it, visible or hidden.
    private static func value(
        of name: StaticString, in entry: UnsafeMutablePointer<CChar>
    ) -> UnsafeMutablePointer<CChar>? {
        let count = name.utf8CodeUnitCount
        guard strncmp(entry, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), count) == 0 else {
            return nil
        }
        let separator = UInt8(bitPattern: entry[count])
        guard separator == UInt8(ascii: "=") || separator == ChildMark.hidingSeparator else { return nil }
        return entry + count + 1
    }
}
