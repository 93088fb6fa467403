package import Arguments
import LaneModel
import LaneSources

extension HelpPage {
    /// The page of lanes from other repositories.
    package static let remoteLanes = HelpPage(
        "Remote lanes", "Lanes and actions from other repositories",
        [
            .paragraph("'\(SourcesFile.path)' names git repositories whose directory 'Lanes' this package uses:"),
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
                "lane update           # resolve all sources, show what differs, and write \(SourcesLock.path)\nlane update shared    # only this source\nlane check            # also reports sources that differ from the lock"
            ),
            .paragraph(
                "Commit both files. A run uses exactly the commits of the lock, and fetches a commit that is not in '.lane/remote' once. It refuses files whose SHA-256 differs from the lock. Lanes of other repositories run programs with your permissions: read the changes of an update before you commit it."
            ),
            .heading("Keys"), .rows(Row.rows(SourcesFile.schema.settings)),
        ])
}
