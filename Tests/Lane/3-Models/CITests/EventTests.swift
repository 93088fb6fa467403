import CI
import TestSupport
import Testing
import Text

@Suite struct EventTests {
    @Test("Jobs start by schedule and for tags, also on self-hosted runners")
    func schedulesAndTags() throws {
        let configuration = """
            services: [github, circleci, azure]
            branches: [main]
            tags: ["[0-9]*"]
            jobs:
              checks:
                lanes: [test]
              nightly:
                schedule: ["0 3 * * 1-5", "30 12 * * sun"]
                lanes: [test]
                runner: [self-hosted, big]
              pack:
                on: [tag]
                lanes: [package]
                runner: big
            """
        for file in try files(configuration) {
            expectGolden(file.text, "events-\(file.path.split(separator: "/").joined(separator: "-"))")
        }
    }

    @Test(
        "A schedule has five fields with values in their ranges",
        arguments: [
            ("0 3 * * *", nil), ("*/15 0-6,22 1,15 jan-mar MON", nil), ("59 23 31 12 6", nil),
            ("0 3 * *", "expected minute, hour, day, month and day of the week, found 4 of these"),
            ("60 3 * * *", "'60' is not a valid minute"), ("0 24 * * *", "'24' is not a valid hour"),
            ("0 3 0 * *", "'0' is not a valid day"),
            ("0 3 * 13 *", "'13' is not a valid month"), ("0 3 * * 7", "'7' is not a valid day of the week"),
            ("0 5-3 * * *", "'5-3' is not a valid hour"), ("*/0 3 * * *", "'*/0' is not a valid minute"),
            ("0 3, * * *", "'' is not a valid hour"),
            ("@daily", "expected minute, hour, day, month and day of the week, found 1 of these"),
        ])
    func schedules(_ text: String, _ problem: String?) throws {
        let configuration = "jobs: { nightly: { schedule: '\(text)', lanes: [test] } }"
        guard let problem else {
            _ = try files(configuration)
            return
        }
        #expect {
            try files(configuration)
        } throws: { error in
            (error as? Diagnostics)?.all.first?.message == "'\(text)' is not a schedule: \(problem)"
        }
    }

    @Test("A job on 'schedule' has a schedule, and needs only jobs with the same")
    func schedulesOfNeededJobs() throws {
        func errors(_ jobs: String) -> [String] {
            do { _ = try files("jobs:\n\(jobs)") } catch { return error.all.map(\.message) }
            return []
        }
        #expect(errors("  a: { on: schedule, lanes: [test] }") == ["job 'a' has no schedule"])
        let two = "  a: { schedule: 0 3 * * *, lanes: [test] }\n  b: { schedule: 0 4 * * *, needs: [a], lanes: [test] }"
        #expect(errors(two) == ["job 'b' starts at '0 4 * * *' and needs 'a', which does not"])
    }
}
