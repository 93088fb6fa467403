import ActionFixtures
import TestSupport
import Versioning

extension BumpAction {
    /// Creates an action at the time of the fixtures.
    init() { self.init(now: { GitFixture.now }) }
}

extension GitFixture {
    /// The `changelog` action at that time.
    static var changelogAction: ChangelogAction { ChangelogAction(now: { now }) }
}
