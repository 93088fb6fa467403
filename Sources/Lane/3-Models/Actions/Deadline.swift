/// The end of a time limit.
package struct Deadline: Sendable {
    /// The time at which the limit ends.
    package let moment: Duration
    /// The length of the limit, for messages.
    package let length: Duration

    package init(moment: Duration, length: Duration) {
        self.moment = moment
        self.length = length
    }

    package static func earlier(_ one: Deadline?, _ other: Deadline?) -> Deadline? {
        guard let one, let other else { return one ?? other }
        return other.moment < one.moment ? other : one
    }
}
