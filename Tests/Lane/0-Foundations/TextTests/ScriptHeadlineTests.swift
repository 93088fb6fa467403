import Testing
import Text

@Suite struct ScriptHeadlineTests {
    @Test(arguments: [
        ("swift build", "swift build"), ("swift build\n", "swift build"), ("a\nb\n", "a …"), ("a\r\nb", "a …"),
        ("#!/bin/bash\nset -euo pipefail\n\n# Builds.\nswift build\n", "swift build"),
        ("#!/bin/bash\n  set +x\n  swift build\n  swift test\n", "swift build …"),
        ("set -e; swift build\nswift test", "set -e; swift build …"), ("set the\ntable", "set the …"),
        ("#!/usr/bin/env python3\nimport os\nprint(1)", "import os …"),
        // Without a command, the first line has to do.
        ("# nothing\nset -e\n", "# nothing"), ("# one line", "# one line"), ("", ""), ("\n", ""),
    ])
    func isTheFirstCommand(_ script: String, _ text: String) {
        #expect(ScriptHeadline(script).text == text)
    }
}
