/// The place of a queue's files, which several machines share.
///
/// `create` is what makes a queue correct: of all machines that create a file of one name, one succeeds.
package protocol QueueStore: Sendable {
    /// The path or the address, for messages.
    var location: String { get }

    /// Returns the content of a file, or `nil` if there is none.
    func read(_ name: String) throws(TestQueueError) -> String?
    /// Creates a file, unless there is one. Returns a Boolean value that indicates whether this call has created it.
    func create(_ name: String, _ content: String) throws(TestQueueError) -> Bool
    /// Returns the names of those files that exist.
    func existing(_ names: [String]) throws(TestQueueError) -> Set<String>
    /// Returns the time in seconds since a file was created or renewed, or `nil` if there is none.
    func age(of name: String) throws(TestQueueError) -> Double?
    /// Sets the age of a file to zero, if it exists.
    func renew(_ name: String, _ content: String) throws(TestQueueError)
    /// Removes a file, if it exists.
    func remove(_ name: String) throws(TestQueueError)
    /// Returns a path on this machine for the content of a file.
    func draft(_ name: String) -> String
    /// Moves a draft to the place of a file, unless there is one, and removes the draft.
    func publish(_ draft: String, as name: String) throws(TestQueueError)
}
