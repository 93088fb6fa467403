import Arguments
import Testing

@Suite struct HelpPageTests {
    private static let page = HelpPage(
        "Sample", "A page with every kind of block",
        [
            .paragraph("The package's 'swift build' takes < 2 s."),
            .heading("Example"), .yaml("steps:\n  - run: echo -n \"a|b\""),
            .heading("Settings"),
            .rows([HelpPage.Row("paths", "The paths, such as 'a|b' (default: .)."), HelpPage.Row("  inner", "One.")]),
            .code(".hidden"),
        ])

    @Test func textHasTheLayoutOfCommandHelp() {
        #expect(
            Self.page.text(width: 80) == """
                OVERVIEW: A page with every kind of block.

                The package's 'swift build' takes < 2 s.

                EXAMPLE:
                  steps:
                    - run: echo -n "a|b"

                SETTINGS:
                  paths                   The paths, such as 'a|b' (default: .).
                    inner                 One.

                  .hidden

                """)
    }

    @Test func markdownMarksCode() {
        #expect(
            Self.page.markdown() == """
                # Sample

                A page with every kind of block.

                The package's `swift build` takes \\< 2 s.

                ## Example

                ```yaml
                steps:
                  - run: echo -n "a|b"
                ```

                ## Settings

                | name | meaning |
                |---|---|
                | `paths` | The paths, such as `a\\|b` (default: .). |
                | `  inner` | One. |

                ```text
                .hidden
                ```

                """)
    }

    @Test func manualEscapesRequestsAndHyphens() {
        let text = ManualPage.text(of: "lane", version: "1.2.0", command: Self.page, pages: [])
        #expect(
            text == #"""
                .TH LANE 1 "" "lane 1.2.0"
                .SH NAME
                lane \- A page with every kind of block
                .PP
                The package's 'swift build' takes < 2 s.
                .SH "EXAMPLE"
                .PP
                .in +4n
                .nf
                steps:
                  \- run: echo \-n "a|b"
                .fi
                .in
                .SH "SETTINGS"
                .TP
                .B "paths"
                The paths, such as 'a|b' (default: .).
                .TP
                .B "  inner"
                One.
                .PP
                .in +4n
                .nf
                \&.hidden
                .fi
                .in

                """#)
    }
}
