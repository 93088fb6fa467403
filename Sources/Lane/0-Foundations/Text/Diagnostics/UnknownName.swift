/// Returns the message for an unknown name.
package func unknown(_ kind: String, _ name: String, among known: [String]) -> String {
    let hint = nearest(to: name, among: known).map { "\nhint: did you mean '\($0)'?" } ?? ""
    return "there is no \(kind) '\(name)': expected \(list(known))\(hint)"
}
