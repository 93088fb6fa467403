import RegexBuilder

/// Returns a text that is equal on all machines and days: temporary paths become `<tmp>`, hashes and their abbreviations
/// with 9 or 12 digits, or those of a diff, `<hash>`, dates `<date>`, times such as `0.123 s` or `1.2ms` `<time>`, and
/// `(process 1234)` becomes `(process <id>)`.
///
/// - Parameters:
///   - replacing: More texts to replace, longest first, for example the root of the package.
///   - temporary: The directory of temporary files, which macOS and many users place elsewhere than in `/tmp`.
package func redacted(
    _ text: String, replacing others: [String: String] = [:], temporary: String = TemporaryDirectory.parent
) -> String {
    var text = text
    for (found, replacement) in others.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) where !found.isEmpty {
        text = text.split(separator: found, omittingEmptySubsequences: false).joined(separator: replacement)
    }
    for directory in [temporary, "/tmp"] {
        let path = Regex {
            Optionally("/private")
            directory
            #/\/[A-Za-z0-9._-]+/#
        }
        text.replace(path) { _ in "<tmp>" }
    }
    text.replace(#/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?/#) { _ in "<date>" }
    text.replace(#/\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{12}|[0-9a-f]{9})\b/#) { _ in "<hash>" }
    // The hash of a file in a diff depends on a date in it.
    text.replace(#/(?m)^index [0-9a-f]+\.\.[0-9a-f]+/#) { _ in "index <hash>..<hash>" }
    text.replace(#/\(process \d+\)/#) { _ in "(process <id>)" }
    text.replace(#/\b(?:\d+ ?h ?)?(?:\d+ ?m ?)?\d+(?:\.\d+)? ?(?:seconds|secs?|ms|µs|s)\b/#) { _ in "<time>" }
    return text
}
