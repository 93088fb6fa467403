/// Returns the message for an unknown name.
package func unknown(_ kind: String, _ name: String, among known: [String]) -> String {
    let hint = suggestion(for: name, among: known).map { "\nhint: \($0)" } ?? ""
    return "there is no \(kind) '\(name)': expected \(list(known))\(hint)"
}
