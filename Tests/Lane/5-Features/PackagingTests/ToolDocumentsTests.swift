import Testing

@testable import Packaging

@Suite struct ToolDocumentsTests {
    @Test(arguments: [
        ("man/shape.1", "share/man/man1/shape.1"), ("man/man5/shape.conf.5", "share/man/man5/shape.conf.5"),
        ("man/README.md", nil), ("man/shape", nil), ("man/shape10", nil), ("docs/shape.1", nil),
        ("completions/shape.bash", "share/bash-completion/completions/shape"),
        ("completions/zsh/_shape", "share/zsh/site-functions/_shape"),
        ("completions/shape.zsh", "share/zsh/site-functions/_shape"),
        ("completions/shape.fish", "share/fish/vendor_completions.d/shape.fish"),
        ("completions/other.fish", nil), ("completions/shape.ps1", nil), ("shape.fish", nil),
    ])
    func filesOfThePackageHaveTheirPlaces(file: String, path: String?) {
        #expect(ToolDocuments.path(of: file, among: ["shape"]) == path)
    }

    /// The format is that of Swift Argument Parser 1.6.
    private static let description = #"""
        {"serializationVersion": 0, "command": {"commandName": "shape", "abstract": "Draw shapes.",
         "discussion": "Draws one\nshape.\n\n.png files only.", "shouldDisplay": true, "arguments": [
          {"kind": "positional", "valueName": "side", "isOptional": false, "isRepeating": true, "shouldDisplay": true,
           "abstract": "The sides."},
          {"kind": "option", "valueName": "color", "isOptional": true, "isRepeating": false, "shouldDisplay": true,
           "names": [{"kind": "short", "name": "c"}, {"kind": "long", "name": "color"}], "defaultValue": "red",
           "abstract": "The color."},
          {"kind": "flag", "isOptional": true, "shouldDisplay": true, "names": [{"kind": "long", "name": "fill"}]},
          {"kind": "flag", "isOptional": true, "shouldDisplay": false, "names": [{"kind": "long", "name": "hidden"}]}],
         "subcommands": [
          {"commandName": "help", "abstract": "Show help."},
          {"commandName": "list", "abstract": "List shapes", "superCommands": ["shape"],
           "arguments": [{"kind": "positional", "valueName": "kind", "isOptional": true, "shouldDisplay": true}]}]}}
        """#

    @Test func aDescriptionBecomesAManualPage() {
        #expect(
            ToolManual.text(of: "shape", version: "1.2.0", description: Array(Self.description.utf8)) == #"""
                .TH SHAPE 1 "" "shape 1.2.0"
                .SH NAME
                shape \- Draw shapes
                .SH "SYNOPSIS"
                .PP
                .in +4n
                .nf
                shape [options] <side> ... <subcommand>
                .fi
                .in
                .SH "DESCRIPTION"
                .PP
                Draws one shape.
                .PP
                \&.png files only.
                .SH "ARGUMENTS"
                .TP
                .B "<side>"
                The sides.
                .SH "OPTIONS"
                .TP
                .B "\-c, \-\-color <color>"
                The color. (default: red)
                .TP
                .B "\-\-fill"

                .SH "SUBCOMMANDS"
                .TP
                .B "list"
                List shapes
                .SH "SHAPE LIST"
                List shapes.
                .SS "Synopsis"
                .PP
                .in +4n
                .nf
                shape list [options] [<kind>]
                .fi
                .in
                .SS "Arguments"
                .TP
                .B "<kind>"


                """#)
        #expect(ToolManual.text(of: "shape", version: "1.2.0", description: Array("{}".utf8)) == nil)
    }
}
