import Events
import Text

/// The parts of the HTML report in their order. A part without content is empty.
struct HTMLPage {
    let run: RunSummary
    let sources: ReportSources
    let origin: RunOrigin
    private let results = ResultText(style: .plain)

    init(run: RunSummary, sources: ReportSources) {
        self.run = run
        self.sources = sources
        origin = sources.origin()
    }

    var head: String {
        let isGood = run.end?.status == 0
        let verdict = isGood ? "passed" : "failed"
        let lane = HTML.escaped(run.lane)
        let start = Instant(secondsSince1970: run.startedAt)
        return HTMLStyle.head(title: "\(isGood ? "✔" : "✘") \(lane) \(verdict)") + """
            <h1><span class="\(verdict)">\(isGood ? "✔" : "✘")</span> \(lane) \(verdict)</h1>
            <p class="faint">\(start.date) \(start.clock) UTC, \
            \(run.end?.duration.text ?? "")</p>
            \(facts)
            """
    }

    /// The commit, the branch, the machine and the command.
    private var facts: String {
        let hash = origin.commit.map { HTML.escaped(String($0.prefix(12))) }
        let commit = hash.map { hash in
            let link = origin.commitPage.map { "<a href=\"\(HTML.escaped($0))\"><code>\(hash)</code></a>" }
            return (link ?? "<code>\(hash)</code>") + (origin.isModified ? " with changes" : "")
        }
        let command = run.steps.count == 1 ? run.steps[0].repeatCommand : run.lane.isEmpty ? nil : "lane \(run.lane)"
        let facts: [(String, String?)] = [
            ("commit", commit), ("branch", origin.branch.map(HTML.escaped)),
            ("machine", origin.machine.isEmpty ? nil : HTML.escaped(origin.machine)),
            (
                "command",
                run.steps.isEmpty
                    ? nil : command.map { "<span class=\"command\"><code>\(HTML.escaped($0))</code></span>" }
            ),
        ]
        let rows = facts.compactMap { name, value in value.map { "<dt>\(name)</dt><dd>\($0)</dd>" } }
        return rows.isEmpty ? "" : "<dl class=\"facts\">\(rows.joined())</dl>\n"
    }

    /// Returns a location with a link to the source, if the repository has a known web page.
    func place(_ location: SourceLocation?) -> String? {
        guard let location else { return nil }
        let path = location.path.hasPrefix("/") ? location.path : sources.root + location.path
        let text = "<code>\(HTML.name(location.text))</code>"
        return origin.address(of: path, line: location.line).map { "<a href=\"\(HTML.escaped($0))\">\(text)</a>" }
            ?? text
    }

    var totals: String {
        let counts = run.counts
        guard counts.planned > 0 else {
            return run.tests.isEmpty ? "" : "<p class=\"failed\">No test ran.</p>\n"
        }
        let parts = [
            (counts.passed - counts.flaky, "passed", "passed"), (counts.flaky, "flaky", "flaky"),
            (counts.failed, "failed", "failed"), (counts.crashed, "failed", "crashed"),
            (counts.timedOut, "failed", "timed out"), (counts.notRun, "failed", "not run"),
            (counts.skipped, "skipped", "skipped"),
        ].filter { $0.0 > 0 }
        let tracks = parts.map { "<i class=\"\($0.1)\" style=\"flex:\($0.0)\" title=\"\($0.0) \($0.2)\"></i>" }
        let items = parts.map { "<li class=\"\($0.1)\"><b>\(grouped($0.0))</b> \($0.2)</li>" }
        return """
            <div class="tracks">\(tracks.joined())</div>
            <ul class="totals"><li><b>\(grouped(counts.planned))</b> \(counts.planned == 1 ? "test" : "tests")</li>\
            \(items.joined())</ul>

            """
    }

    var failures: String {
        let tests = run.tests { $0.outcome?.isUnsuccessful == true }
        guard !tests.isEmpty else { return "" }
        return HTML.heading("Failures", tests.count) + tests.map { failure($0.test, in: $0.step) }.joined()
    }

    private func failure(_ test: TestRecord, in step: StepID?) -> String {
        let attempt = test.attempts.last
        let failures = attempt?.failures ?? []
        let place = place(test.location).map { "<span class=\"place\">\($0)</span>" } ?? ""
        var body = failures.map { issue in
            // The summary contains the location of a single issue.
            let place = failures.count == 1 ? nil : self.place(issue.location)
            let argument = issue.argument.map { "with <code>\(HTML.escaped($0))</code>" }
            let head = [place, argument].compactMap { $0 }.joined(separator: " ")
            return (head.isEmpty ? "" : "<p>\(head)</p>") + source(of: issue) + explanation(of: issue)
        }.joined()
        body += (attempt?.attachments ?? []).map(attachment).joined()
        if let output = attempt?.output, !output.isBlank {
            body += "<p class=\"faint\">output</p><pre>\(HTML.escaped(output.text))</pre>\n"
        }
        if let command = repeatCommand(of: test.id, in: step) { body += HTML.command(command) }
        if !body.isEmpty { body = "<div>\(body)</div>" }
        let ending = results.ending(test.outcome, test.duration)
        return """
            <details open><summary><span class="failed">✘</span> <code>\(HTML.name(results.name(test.info)))</code> \
            <span class="faint">\(HTML.escaped(ending))</span>\(place)</summary>\(body)</details>

            """
    }

    /// Returns the command that runs a test again.
    func repeatCommand(of test: TestID, in step: StepID?) -> String? {
        guard let command = run.step(step)?.start?.repeatTestsCommand else { return nil }
        var words = Array("\(command) --filter ".utf8)
        words.appendShellQuoted(TerminalText.sanitized(test.description))
        return String(decoding: words, as: UTF8.self)
    }

    private func source(of issue: TestIssue) -> String {
        guard let line = issue.location?.line, !issue.source.isEmpty else { return "" }
        let lines = issue.source.enumerated().map { offset, text in
            "<span class=\"faint\">\(line + offset)</span> \(HTML.escaped(text))"
        }
        return "<pre class=\"source\">\(lines.joined(separator: "\n"))</pre>\n"
    }

    /// Returns the text of an issue, with the difference of two values.
    private func explanation(of issue: TestIssue) -> String {
        let lines = IssueExplanation(issue.text).lines.map { line in
            switch line {
            case .text(let text): return HTML.escaped(text)
            case .row(let side, let segments):
                let text = segments.map { segment in
                    segment.isMarked ? "<b>\(HTML.escaped(segment.text))</b>" : HTML.escaped(segment.text)
                }.joined()
                return switch side {
                case .both: "  \(text)"
                case .left: "<del>- \(text)</del>"
                case .right: "<ins>+ \(text)</ins>"
                }
            }
        }
        return "<pre>\(lines.joined(separator: "\n"))</pre>\n"
    }

    /// Returns a picture, or the name of another file.
    private func attachment(_ path: String) -> String {
        let name = "<p class=\"faint\">attached: <code>\(HTML.name(path))</code></p>"
        guard let bytes = sources.read(path), let type = HTMLPicture.type(of: bytes) else { return name }
        return "\(name)<img alt=\"\(HTML.escaped(path))\" src=\"data:\(type);base64,\(Base64.encode(bytes))\">\n"
    }

    var failuresOutsideTests: String {
        let failures = Annotation.failuresOutsideTests(of: run)
        guard !failures.isEmpty else { return "" }
        return HTML.heading("Outside any test", failures.count)
            + failures.map { failure in
                let place = failure.location?.text ?? failure.title
                return "<pre>\(HTML.escaped("\(place)\n\(failure.text)"))</pre>\n"
            }.joined()
    }

    var diagnostics: String {
        let diagnostics = run.diagnostics.filter { $0.severity != .note }
        guard !diagnostics.isEmpty else { return "" }
        return HTML.heading("Build", diagnostics.count)
            + diagnostics.map { diagnostic in
                let isError = diagnostic.severity == .error
                let text = ([diagnostic.message] + diagnostic.excerpt).joined(separator: "\n")
                let place = place(diagnostic.location) ?? ""
                return """
                    <details\(isError ? " open" : "")><summary><span class="\(isError ? "failed" : "flaky")">\
                    \(diagnostic.severity.rawValue)</span> \(place) <span class="faint">\
                    \(HTML.escaped(diagnostic.message))</span></summary><div><pre>\(HTML.escaped(text))</pre></div></details>

                    """
            }.joined()
    }

    var flaky: String {
        let tests = run.tests(where: \.isFlaky)
        guard !tests.isEmpty else { return "" }
        return HTML.heading("Flaky", tests.count)
            + tests.map { _, test in
                let texts = test.attempts.flatMap(\.failures).map { issue in
                    (issue.location.map { $0.text + "\n" } ?? "") + issue.text
                }
                return """
                    <details><summary><span class="flaky">↻</span> <code>\(HTML.name(results.name(test.info)))</code> \
                    <span class="faint">passed on attempt \(test.attempts.count)</span></summary>\
                    <div><pre>\(HTML.escaped(texts.joined(separator: "\n\n")))</pre></div></details>

                    """
            }.joined()
    }

    var slowest: String {
        let tests = RunRecap.slowest(of: run, atLeast: .zero)
        guard let longest = tests.first?.duration?.seconds, longest > 0 else { return "" }
        let rows = tests.map { test in
            let share = Int(((test.duration?.seconds ?? 0) / longest * 100).rounded())
            return """
                <tr><td class="number">\(test.duration?.text ?? "")</td><td><code>\(HTML.name(test.id.description))</code></td>\
                <td class="bar"><i style="width:\(share)%"></i></td></tr>

                """
        }
        return HTML.heading("Slowest tests") + "<table><tbody>\n\(rows.joined())</tbody></table>\n"
    }
}
