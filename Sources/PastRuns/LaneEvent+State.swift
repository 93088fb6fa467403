package import LaneEvents

extension LaneEvent {
    /// The event without the log and the command for failed tests, which a later run of the lane has replaced.
    package var withoutState: LaneEvent {
        guard case .stepStarted(let start) = kind else { return self }
        return LaneEvent(
            number: number, offset: offset, step: step,
            kind: .stepStarted(
                StepStart(
                    name: start.name, action: start.action, command: start.command, repeatCommand: start.repeatCommand,
                    repeatTestsCommand: start.repeatTestsCommand)))
    }
}
