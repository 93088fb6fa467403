/// The start and the end of HTML pages, which contain the style sheet and the script.
enum HTMLStyle {
    /// Returns the start of a page up to its content.
    static func head(title: String, css further: String = "") -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <style>
        \(css)
        \(further)</style>
        </head>
        <body>

        """
    }

    /// Returns the end of a page.
    static func foot(script: String = script) -> String {
        "<footer>Written by <code>lane</code>.</footer>\n<script>\n\(script)\n</script>\n</body>\n</html>\n"
    }

    /// The style sheet, for light and dark mode.
    static let css = """
        :root { color-scheme: light dark; --back: #fff; --raised: #f5f6f8; --line: #dfe2e7; --text: #1c2128;
          --faint: #636c76; --pass: #1a7f37; --fail: #c62828; --skip: #8b949e; --warn: #b26a00; --run: #2b6cb0; }
        @media (prefers-color-scheme: dark) { :root { --back: #14171c; --raised: #1d2128; --line: #343a44;
          --text: #e4e7eb; --faint: #9aa4b0; --pass: #3fb950; --fail: #ff6b61; --skip: #6e7681; --warn: #e0a030;
          --run: #6cb0ff; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 72rem; background: var(--back);
          color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
        h1 { font-size: 1.7rem; margin: 0; line-height: 1.2; }
        h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
        h2 .count, .faint { color: var(--faint); font-weight: 400; }
        code, pre, .mono { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: .87em; }
        pre { margin: 0; padding: .7rem .9rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
          background: var(--back); border: 1px solid var(--line); border-radius: 6px; }
        .passed { color: var(--pass); } .failed { color: var(--fail); } .skipped { color: var(--skip); }
        .flaky { color: var(--warn); }
        .tracks { display: flex; height: 12px; margin: 1rem 0 .6rem; border-radius: 6px; overflow: hidden;
          background: var(--line); gap: 1px; }
        .tracks i { display: block; min-width: 3px; }
        .tracks .passed { background: var(--pass); } .tracks .failed { background: var(--fail); }
        .tracks .skipped { background: var(--skip); } .tracks .flaky { background: var(--warn); }
        .totals { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: 0; padding: 0; list-style: none; }
        .totals b { font-variant-numeric: tabular-nums; }
        details { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
        summary { padding: .55rem .9rem; cursor: pointer; overflow-wrap: break-word; }
        summary .place { float: right; margin-left: 1rem; color: var(--faint); }
        details > div { padding: 0 .9rem .9rem; } details p { margin: .5rem 0 .3rem; }
        details p:first-child { margin-top: 0; }
        table { border-collapse: collapse; width: 100%; }
        td, th { text-align: left; padding: .28rem .7rem .28rem 0; border-bottom: 1px solid var(--line);
          vertical-align: top; overflow-wrap: break-word; }
        a { color: var(--run); } summary::after, details::after { content: ""; display: block; clear: both; }
        del, ins { text-decoration: none; } del { color: var(--fail); } ins { color: var(--pass); }
        del b, ins b { background: color-mix(in srgb, currentColor 22%, transparent); border-radius: 3px; }
        pre.source { border: 0; padding: .2rem 0; background: none; } img { max-width: 100%; border: 1px solid var(--line); }
        .facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .8rem 0; }
        .facts dt { color: var(--faint); } .facts dd { margin: 0; overflow-wrap: break-word; min-width: 0; }
        p.command { margin: .6rem 0 0; } button { font: inherit; font-size: .87em; color: inherit; background: var(--raised);
          border: 1px solid var(--line); border-radius: 6px; padding: .1rem .5rem; cursor: pointer; }
        button[aria-pressed=true] { border-color: var(--run); color: var(--run); }
        #filters { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .6rem; } #filters[hidden] { display: none; }
        #filters input { flex: 1 1 16rem; width: auto; margin: 0; }
        .suite { content-visibility: auto; contain-intrinsic-size: auto 2.6rem; }
        .suite table { margin: 0 .9rem .6rem; width: calc(100% - 1.8rem); }
        .suite td:first-child { text-align: right; white-space: nowrap; width: 6rem; font-variant-numeric: tabular-nums; }
        .suite td:nth-child(2) { width: 5.5rem; white-space: nowrap; }
        .suite tr.passed td:nth-child(2) { color: var(--pass); } .suite tr.failed td:nth-child(2) { color: var(--fail); }
        .suite tr.flaky td:nth-child(2) { color: var(--warn); } .suite tr.skipped td:nth-child(2) { color: var(--skip); }
        .suite tr { color: var(--text); }
        @media (max-width: 40rem) { body { padding: 1rem .7rem 3rem; } summary .place { float: none; display: block;
          margin: 0; } td.bar { display: none; } td { overflow-wrap: anywhere; } .suite table { margin: 0 .3rem .4rem; width: calc(100% - .6rem); } }
        th { color: var(--faint); font-weight: 500; }
        td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; width: 7rem; }
        td.bar { width: 35%; } td.bar i { display: block; height: 9px; margin-top: .45rem; border-radius: 3px;
          background: var(--run); min-width: 2px; }
        .chart { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
        svg { display: block; width: 100%; min-width: 40rem; }
        svg text { font: 11px system-ui, "DejaVu Sans", sans-serif; fill: var(--faint); }
        svg .grid { stroke: var(--line); }
        svg .passed { fill: var(--pass); } svg .failed { fill: var(--fail); } svg .skipped { fill: var(--skip); }
        svg .flaky { fill: var(--warn); } svg rect:hover { opacity: .6; }
        input[type=search] { width: 100%; padding: .45rem .7rem; margin: 0 0 .6rem; font: inherit; color: inherit;
          background: var(--back); border: 1px solid var(--line); border-radius: 6px; }
        footer { margin-top: 3rem; color: var(--faint); font-size: .87em; }
        """

    /// The script of the test report: search, filters, and buttons that copy commands. Without scripts, all tests are
    /// visible.
    static let reportScript = """
        const all = document.getElementById('all'), filters = document.getElementById('filters');
        const quoted = text => /^[\\w.\\/:@%+=,-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\\\''") + "'";
        const copier = text => {
          const button = document.createElement('button');
          button.type = 'button'; button.textContent = 'copy'; button.title = text;
          button.addEventListener('click', async event => {
            event.preventDefault();
            try { await navigator.clipboard.writeText(text); } catch {
              const area = document.createElement('textarea');
              area.value = text; document.body.append(area); area.select(); document.execCommand('copy'); area.remove();
            }
            button.textContent = 'copied'; setTimeout(() => button.textContent = 'copy', 1500);
          });
          return button;
        };
        for (const code of document.querySelectorAll('.command code')) code.after(' ', copier(code.textContent));
        if (filters) {
          filters.hidden = false;
          const field = filters.querySelector('input'), buttons = [...filters.querySelectorAll('button')];
          const suites = [...all.querySelectorAll('.suite')].map(suite => ({
            suite, wasOpen: suite.open, name: suite.dataset.suite.toLowerCase(),
            rows: [...suite.querySelectorAll('tr')].map(row => ({ row, text: row.lastChild.textContent.toLowerCase() })) }));
          const update = () => {
            const words = field.value.toLowerCase().split(/\\s+/).filter(word => word);
            const kinds = buttons.filter(button => button.ariaPressed === 'true').map(button => button.dataset.kind);
            for (const { suite, wasOpen, name, rows } of suites) {
              let count = 0;
              for (const { row, text } of rows) {
                const isShown = words.every(word => name.includes(word) || text.includes(word))
                  && (!kinds.length || kinds.some(kind => row.classList.contains(kind)));
                row.hidden = !isShown;
                count += isShown;
              }
              suite.hidden = !count;
              suite.open = words.length || kinds.length ? count > 0 && count <= 200 : wasOpen;
            }
          };
          field.addEventListener('input', update);
          for (const button of buttons) button.addEventListener('click', () => {
            button.ariaPressed = button.ariaPressed !== 'true'; update();
          });
          all.addEventListener('mouseover', event => {
            const row = event.target.closest('tr'), suite = row && row.closest('.suite');
            if (!suite || !suite.dataset.command || row.dataset.done) return;
            row.dataset.done = 1;
            const name = row.querySelector('code').textContent;
            row.lastChild.append(' ', copier(suite.dataset.command + ' --filter ' + quoted(suite.dataset.suite + name)));
          });
        }
        """

    /// The script of the search field above the table of all tests. Without scripts, the whole table is visible.
    static let script = """
        const field = document.querySelector('input[type=search]');
        if (field) {
          field.hidden = false;
          const rows = [...document.querySelectorAll('#all tbody tr')].map(row => [row, row.textContent.toLowerCase()]);
          field.addEventListener('input', () => {
            const words = field.value.toLowerCase().split(/\\s+/);
            for (const [row, text] of rows) row.hidden = !words.every(word => text.includes(word));
          });
        }
        """
}
