import Git
import OperatingSystem
import Text

extension Repository {
    /// Returns the name of the default branch: that of a remote, or else `main` or `master` if it exists; `nil` if it is
    /// unknown.
    ///
    /// - Parameter remote: The remote to which releases are pushed.
    func defaultBranch(of remote: String) -> String? {
        let references = "\(commonDirectory)/refs"
        let mark = "ref: refs/remotes/\(remote)/"
        if let head = (try? readText("\(references)/remotes/\(remote)/HEAD"))?.lines.first, head.hasPrefix(mark) {
            return String(head.dropFirst(mark.count))
        }
        let packed = (try? readText("\(commonDirectory)/packed-refs"))?.lines ?? []
        return ["main", "master"].first { name in
            fileExists("\(references)/heads/\(name)") || packed.contains { $0.hasSuffix(" refs/heads/\(name)") }
        }
    }
}
