import Events
import Text

extension HistoryAssessment {
    /// The assessment of every test as JSON, with a line feed at its end.
    package var json: String {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("version", 1)
            writer.member("runs", runs.count)
            writer.array("tests") { writer in
                for test in tests { writer.object { write(test, to: &$0) } }
            }
            writer.array("failTogether") { writer in
                for group in groups {
                    writer.array { writer in
                        for test in group { writer.value(test.description) }
                    }
                }
            }
        }
        return writer.text + "\n"
    }

    private func write(_ test: TestAssessment, to writer: inout JSONWriter) {
        let (rate, flakiness) = (test.flakiness.rate, test.flakiness)
        writer.member("test", test.test.description)
        writer.member("library", test.test.library.rawValue)
        writer.member("runs", test.series.trials.count)
        writer.member("attempts", rate.attempts)
        writer.member("failed", rate.failed)
        writer.member("rate", rate.value)
        writer.member("lowest", rate.interval.lowerBound)
        writer.member("highest", rate.interval.upperBound)
        if let evidence = flakiness.evidence {
            writer.object("flaky") { writer in
                writer.member("evidence", evidence.rawValue)
                if let failures = flakiness.failures { write("since", run(failures.lowerBound, of: test), to: &writer) }
            }
        }
        if test.isBroken {
            writer.object("broken") { writer in
                writer.member("runs", flakiness.broken.count)
                write("since", run(flakiness.broken.lowerBound, of: test), to: &writer)
            }
        }
        if let slowdown = test.slowdown {
            writer.object("slower") { writer in
                writer.member("before", Double(slowdown.before) / 1e6)
                writer.member("now", Double(slowdown.after) / 1e6)
                write("since", run(slowdown.trial, of: test), to: &writer)
            }
        }
    }

    private func write(_ name: String, _ run: RecordedRun, to writer: inout JSONWriter) {
        writer.object(name) { writer in
            writer.member("startedAt", Instant(secondsSince1970: run.startedAt).description)
            if let commit = run.commit { writer.member("commit", commit) }
        }
    }
}
