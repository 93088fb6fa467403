import Coverage
import Text

/// Coverage as a self-contained HTML page: a table of the files, and the source around the uncovered lines of each.
struct CoveragePage {
    let coverage: MeasuredCoverage

    /// The number of lines shown before and after uncovered lines.
    private static let context = 2
    /// The maximum number of lines of source on the page.
    private static let sourceLimit = 20_000

    private var report: CoverageReport { coverage.report }

    var html: String { head + table + uncovered + foot }

    private var head: String {
        let share = CoverageReport.percentText(report.percent)
        let date = Instant(secondsSince1970: coverage.date)
        let missed = report.lines - report.covered
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Coverage \(share)</title>
            <style>
            \(HTMLStyle.css)
            :root { --missed: #ffe3e0; } @media (prefers-color-scheme: dark) { :root { --missed: #4b1f20; } }
            td.share { width: 28%; } td.share .tracks { margin: .45rem 0 0; height: 9px; }
            a { color: inherit; } pre.source { white-space: pre; padding: .5rem 0; margin: .5rem 0; }
            .source span { display: block; padding: 0 .9rem; width: max-content; min-width: 100%; }
            .source i { display: inline-block; width: 5ch; margin-right: 1.5ch; text-align: right; font-style: normal;
              color: var(--faint); user-select: none; }
            .source .missed { background: var(--missed); } .source .missed i { color: var(--fail); font-weight: 600; }
            </style>
            </head>
            <body>
            <h1>\(share) of the lines are covered</h1>
            <p class="faint">\(date.date) \(date.clock) UTC</p>
            \(Self.bar(report.covered, of: report.lines))
            <ul class="totals"><li><b>\(grouped(report.files.count))</b> \(report.files.count == 1 ? "file" : "files")</li>\
            <li><b>\(grouped(report.lines))</b> lines</li>\
            <li class="passed"><b>\(grouped(report.covered))</b> covered</li>\
            <li class="\(missed > 0 ? "failed" : "skipped")"><b>\(grouped(missed))</b> uncovered</li></ul>

            """
    }

    private var table: String {
        guard !report.files.isEmpty else { return "<p>No file of the package has code.</p>\n" }
        let files = report.files.enumerated().sorted {
            ($0.element.percent, $0.element.path) < ($1.element.percent, $1.element.path)
        }
        let rows = files.map { index, file in
            let path = "<code>\(HTML.escaped(file.path))</code>"
            let name = file.covered < file.lines.count ? "<a href=\"#file-\(index + 1)\">\(path)</a>" : path
            return """
                <tr><td>\(name)</td><td class="share">\(Self.bar(file.covered, of: file.lines.count))</td>\
                <td class="number">\(CoverageReport.percentText(file.percent))</td>\
                <td class="number">\(grouped(file.covered)) of \(grouped(file.lines.count))</td></tr>

                """
        }
        return HTML.heading("Files", files.count) + """
            <input type="search" placeholder="Search" aria-label="Search files" hidden>
            <table id="all"><thead><tr><th>file</th><th></th><th class="number">covered</th><th class="number">lines</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody></table>

            """
    }

    private var uncovered: String {
        var shown = 0
        let sections = report.files.enumerated().compactMap { index, file -> String? in
            let missed = file.lines.count - file.covered
            guard missed > 0 else { return nil }
            let source = shown < Self.sourceLimit ? coverage.source(file.path) : nil
            let excerpts = source.map { Excerpt.all(of: file, in: $0, context: Self.context) } ?? []
            shown += excerpts.reduce(0) { $0 + $1.lines.count }
            let ranges = file.uncovered.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
            let body =
                excerpts.isEmpty
                ? "<p>lines \(ranges.joined(separator: ", "))</p>" : excerpts.map(\.html).joined(separator: "\n")
            return """
                <details id="file-\(index + 1)" open><summary><span class="place">\(grouped(missed)) of \
                \(grouped(file.lines.count)) lines</span><code>\(HTML.escaped(file.path))</code></summary>\
                <div>\(body)</div></details>

                """
        }
        guard !sections.isEmpty else { return "" }
        return HTML.heading("Uncovered lines", report.lines - report.covered) + sections.joined()
    }

    private var foot: String {
        "<footer>Written by <code>lane</code>.</footer>\n<script>\n\(HTMLStyle.script)\n</script>\n</body>\n</html>\n"
    }

    private static func bar(_ covered: Int, of lines: Int) -> String {
        let parts = [(covered, "passed", "covered"), (lines - covered, "failed", "uncovered")].filter { $0.0 > 0 }
        let tracks = parts.map { "<i class=\"\($0.1)\" style=\"flex:\($0.0)\" title=\"\($0.0) \($0.2)\"></i>" }
        return "<div class=\"tracks\">\(tracks.joined())</div>"
    }

    /// Consecutive lines of a source file.
    private struct Excerpt {
        var lines: [(number: Int, text: String, isMissed: Bool)] = []

        /// Returns the uncovered lines of a file with the lines around them.
        static func all(of file: FileCoverage, in source: [String], context: Int) -> [Excerpt] {
            let missed = Set(file.lines.filter { $0.count == 0 }.map(\.number))
            var excerpts: [Excerpt] = []
            var last = 0
            for range in file.uncovered where range.lowerBound <= source.count {
                let start = max(1, range.lowerBound - context)
                let end = min(source.count, range.upperBound + context)
                if excerpts.isEmpty || start > last + 1 { excerpts.append(Excerpt()) }
                for number in max(start, last + 1)...max(end, last + 1) where number <= end {
                    excerpts[excerpts.count - 1].lines.append((number, source[number - 1], missed.contains(number)))
                }
                last = max(last, end)
            }
            return excerpts
        }

        /// The lines with their numbers. An uncovered line has a mark in addition to its color.
        var html: String {
            let rows = lines.map { line in
                let mark = line.isMissed ? "\(line.number) ✘" : "\(line.number)  "
                return """
                    <span\(line.isMissed ? " class=\"missed\"" : "")><i>\(mark)</i>\(HTML.escaped(line.text))</span>
                    """
            }
            return "<pre class=\"source\">\(rows.joined())</pre>"
        }
    }
}
