package import HTTP
import Files

/// The files of a queue on a web server.
package struct WebStore: QueueStore {
    private let files: WebFiles
    /// A directory on this machine for events that are not complete.
    private let drafts: String

    package var location: String { files.address.text }

    /// - Parameter drafts: A directory on this machine.
    package init(_ files: WebFiles, drafts: String) {
        (self.files, self.drafts) = (files, drafts)
    }

    package func read(_ name: String) throws(TestQueueError) -> String? {
        try onWeb { () throws(WebError) in try files.read(name).map { String(decoding: $0, as: UTF8.self) } }
    }

    package func create(_ name: String, _ content: String) throws(TestQueueError) -> Bool {
        try onWeb { () throws(WebError) in try files.create(name, Array(content.utf8)) }
    }

    package func existing(_ names: [String]) throws(TestQueueError) -> Set<String> {
        try onWeb { () throws(WebError) in try files.existing(names) }
    }

    package func age(of name: String) throws(TestQueueError) -> Double? {
        // Both times are rounded to seconds.
        try onWeb { () throws(WebError) in try files.age(of: name).map { $0 - 1 } }
    }

    package func renew(_ name: String, _ content: String) throws(TestQueueError) {
        try onWeb { () throws(WebError) in try files.write(Array(content.utf8), to: name) }
    }

    package func remove(_ name: String) throws(TestQueueError) {
        try onWeb { () throws(WebError) in try files.remove(name) }
    }

    package func draft(_ name: String) -> String { "\(drafts)/\(name)" }

    package func publish(_ draft: String, as name: String) throws(TestQueueError) {
        try onWeb { () throws(WebError) in try files.upload(draft, to: name) }
        try convertingFileErrors { () throws(FileError) in try removeTree(draft) }
    }

    /// Downloads files into a directory. Returns their paths in order, without those that do not exist.
    package func download(_ names: [String], to directory: String) throws(TestQueueError) -> [String] {
        let targets = names.map { (name: $0, path: "\(directory)/\(lastPathComponent($0))") }
        return try onWeb { () throws(WebError) in
            let found = try files.download(targets)
            return targets.filter { found.contains($0.name) }.map(\.path)
        }
    }

    private func onWeb<Result>(_ body: () throws(WebError) -> Result) throws(TestQueueError) -> Result {
        do throws(WebError) { return try body() } catch { throw .web(error) }
    }
}
