package import LaneModel
package import LaneRun

import Archives
import Diagnostics
import Files
import LaneEvents

/// `package`: builds, packs, and tries the archive that is shipped.
package struct PackageAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        let products = settings.strings("products").map { list($0, joinedBy: "and") } ?? "all products"
        return "pack \(products) into \(settings.string("output") ?? "dist")"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let order = try PackageOrder(settings, context)
        let built = try order.build()
        let output = "\(context.directory)/\(order.output)"
        try onFiles { () throws(FileError) in try makeDirectories(output) }
        // Only an archive that was proved gets its name.
        let unproved = "\(output)/.\(order.base).tar.gz.unproved"
        defer { try? removeTree(unproved) }
        let file = try onArchives { () throws(ArchiveError) in
            try built.contents.writeTarGzip(to: unproved, modified: order.time)
        }
        if settings.bool("verify") ?? true {
            try order.proof(of: built).check(unproved, in: "\(order.workshop)/proof")
        }
        let path = "\(order.output)/\(order.base).tar.gz"
        try onFiles { () throws(FileError) in try moveFile(unproved, to: "\(context.directory)/\(path)") }
        let sum = "\(file.sha256)  \(order.base).tar.gz\n"
        let sumFile = try onArchives { () throws(ArchiveError) in
            try OutputFile.write(Array(sum.utf8), to: "\(context.directory)/\(path).sha256")
        }
        for (path, file) in [(path, file), (path + ".sha256", sumFile)] {
            context.transaction?.plan(.keep(relativePath: path))
            context.send(.artifact(Artifact(path: path, size: file.size, sha256: file.sha256.description)))
        }
        return StepResult(outputs: [
            "archive": .string(path), "sha256": .string(file.sha256.description),
            "version": .string(order.version.description), "name": .string(order.base),
        ])
    }
}
