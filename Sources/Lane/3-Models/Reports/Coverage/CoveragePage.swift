import Text
import ToolOutput

/// Coverage as a self-contained HTML page: a table of the files, and the source around the uncovered lines of each.
/// Changed lines have a mark, and the page starts with a list of those that are uncovered.
struct CoveragePage {
    let coverage: MeasuredCoverage

    /// The number of lines shown before and after uncovered lines.
    private static let context = 2
    /// The maximum number of lines of source on the page.
    private static let sourceLimit = 20_000

    private var report: CoverageReport { coverage.report }

    var html: String {
        // The excerpts come first, because links lead only to lines that they contain.
        let excerpts = excerpts
        return head + changedLines(excerpts) + table + uncovered(excerpts) + HTMLStyle.foot()
    }

    private var head: String {
        let share = CoverageReport.percentText(report.percent)
        let date = Instant(secondsSince1970: coverage.date)
        let missed = report.lines - report.covered
        let css = """
            :root { --missed: #ffe3e0; } @media (prefers-color-scheme: dark) { :root { --missed: #4b1f20; } }
            td.share { width: 28%; } td.share .tracks { margin: .45rem 0 0; height: 9px; }
            a { color: inherit; } pre.source { white-space: pre; padding: .5rem 0; margin: .5rem 0; }
            .source span { display: block; padding: 0 .9rem; width: max-content; min-width: 100%; }
            .source i, .source b { display: inline-block; font-style: normal; user-select: none; color: var(--faint); }
            .source i { min-width: 5ch; text-align: right; } .source b { width: 3ch; margin: 0 1ch; white-space: pre; }
            .source .missed { background: var(--missed); } .missed i, .missed b { color: var(--fail); font-weight: 600; }
            .source .changed { box-shadow: inset 3px 0 var(--run); } .source :target { outline: 2px solid var(--run); }
            .uncovered li { overflow-wrap: anywhere; }
            @media (max-width: 40rem) { td.share, th.share { display: none; } td.number, th.number { width: 5.5rem; } }

            """
        return HTMLStyle.head(title: "Coverage \(share)", css: css) + """
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
            <table id="all"><thead><tr><th>file</th><th class="share"></th><th class="number">covered</th><th class="number">lines</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody></table>

            """
    }

    /// The excerpts of each file, up to the maximum number of lines.
    private var excerpts: [[CoverageExcerpt]] {
        let changed = Dictionary((coverage.changed?.report.files ?? []).map { ($0.path, $0) }) { first, _ in first }
        var shown = 0
        return report.files.map { file in
            guard file.covered < file.lines.count, shown < Self.sourceLimit, let source = coverage.source(file.path)
            else { return [] }
            let all = CoverageExcerpt.all(
                of: file, in: source, changed: Set(changed[file.path]?.lines.map(\.number) ?? []),
                context: Self.context)
            shown += all.reduce(0) { $0 + $1.lines.count }
            return all
        }
    }

    /// The coverage of the changed lines, with links to the uncovered ones.
    private func changedLines(_ excerpts: [[CoverageExcerpt]]) -> String {
        guard let changed = coverage.changed else { return "" }
        let (covered, lines) = (changed.report.covered, changed.report.lines)
        let heading = HTML.heading("Changed lines", lines)
        let base = HTML.escaped(changed.base)
        guard lines > 0 else { return heading + "<p>No line with code differs from \(base).</p>\n" }
        let files = changed.report.files.filter { $0.covered < $0.lines.count }.map { file in
            let index = report.files.firstIndex { $0.path == file.path } ?? 0
            let shown = Set(excerpts[index].flatMap { $0.lines.map(\.number) })
            let links = file.uncovered.map { range in
                let target = shown.contains(range.lowerBound) ? "-\(range.lowerBound)" : ""
                return "<a href=\"#file-\(index + 1)\(target)\">\(Self.text(range))</a>"
            }
            return "<li><code>\(HTML.escaped(file.path))</code>: \(links.joined(separator: ", "))</li>\n"
        }
        let list =
            files.isEmpty
            ? "" : "<p>Uncovered changed lines:</p>\n<ul class=\"uncovered\">\n\(files.joined())</ul>\n"
        return heading + """
            <p><b>\(CoverageReport.percentText(changed.report.percent))</b> of the lines that differ from \(base) \
            are covered: \(grouped(covered)) of \(grouped(lines)).</p>
            \(Self.bar(covered, of: lines))
            \(list)
            """
    }

    private func uncovered(_ excerpts: [[CoverageExcerpt]]) -> String {
        let sections = report.files.enumerated().compactMap { index, file -> String? in
            let missed = file.lines.count - file.covered
            guard missed > 0 else { return nil }
            let body =
                excerpts[index].isEmpty
                ? "<p>\(missed == 1 ? "line" : "lines") \(file.uncovered.map(Self.text).joined(separator: ", "))</p>"
                : excerpts[index].map { $0.html(file: index + 1) }.joined(separator: "\n")
            return """
                <details id="file-\(index + 1)" open><summary><span class="place">\(grouped(missed)) of \
                \(grouped(file.lines.count)) lines</span><code>\(HTML.escaped(file.path))</code></summary>\
                <div>\(body)</div></details>

                """
        }
        guard !sections.isEmpty else { return "" }
        let legend = coverage.changed == nil ? "" : "<p class=\"faint\">✘ uncovered, + changed</p>\n"
        return HTML.heading("Uncovered lines", report.lines - report.covered) + legend + sections.joined()
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
    }

    private static func bar(_ covered: Int, of lines: Int) -> String {
        let parts = [(covered, "passed", "covered"), (lines - covered, "failed", "uncovered")].filter { $0.0 > 0 }
        let tracks = parts.map { "<i class=\"\($0.1)\" style=\"flex:\($0.0)\" title=\"\($0.0) \($0.2)\"></i>" }
        return "<div class=\"tracks\">\(tracks.joined())</div>"
    }
}
