import Arguments
import LaneModel
import RemoteLanes

extension HelpPage {
    /// The page about lanes from other repositories.
    static let remoteLanes = HelpPage(
        "Remote lanes", "Lanes and actions from other repositories",
        [
            .paragraph("'\(SourcesFile.path)' lists git repositories whose directory 'Lanes' this package uses:"),
            .yaml(
                """
                sources:
                  shared:
                    url: https://host.example/owner/lanes.git
                    version: "1.4"
                  site:
                    url: ../site
                    branch: main
                """),
            .paragraph(
                "Their lanes are 'shared/NAME': on the command line, in 'needs' and in 'lane' steps. Their actions are 'shared/NAME' in steps, and their shared files 'shared/_NAME.yml' in 'include'. Lanes of a source refer to each other without its name; they run in the root of this package."
            ),
            .code(
                "lane update           # resolve all sources, show the differences, and write \(SourcesLock.path)\nlane update shared    # only this source\nlane check            # also reports sources that differ from the lock file"
            ),
            .paragraph(
                "Commit both files. A run uses exactly the commits in the lock file, and fetches a commit once if it is not in '.lane/remote'. It rejects files whose SHA-256 differs from the lock file. Lanes of other repositories run programs with your permissions: read the changes of an update before you commit it."
            ),
            .heading("Keys"), .rows(Row.rows(SourcesFile.schema.settings)),
        ])
}
