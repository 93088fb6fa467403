package import Actions
import Archives
import Events
package import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// The `package` action: builds archives and tests them.
///
/// Also writes bills of materials (SPDX and CycloneDX), the provenance (in-toto), and checksums of all files, which can be
/// signed. A package with executables also gets an artifact bundle. The written files are verified as a receiver does.
package struct PackageAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "package", "Build the release archives",
        settings: [
            SettingSchema("products", .list(.string), "The products to package; all of Package.swift by default"),
            SettingSchema("name", .string, "The prefix of the archive's name; the package's name by default"),
            SettingSchema("version", .version, "The version; found in files, tags or the changelog by default"),
            SettingSchema("output", .path, "The directory of the archives", default: .string("dist")),
            SettingSchema("verify", .bool, "Unpack each archive and test its contents", default: .bool(true)),
            SettingSchema("reproducible", .bool, "Build again in another directory and compare the bytes"),
            SettingSchema("sign", .bool, "Sign the checksums with the key of tags, if git's configuration signs tags"),
            SettingSchema(
                "formats", .list(.choice(["deb", "formula", "image"])),
                "More files for those who install the executables: a Debian package, a Homebrew formula, a container image"
            ),
            SettingSchema(
                "description", .string,
                "One line about the executables for 'formats'; by default the first sentence of README"),
            SettingSchema("sources", .bool, "Include the sources; by default only beside libraries"),
            SettingSchema("allow-empty", .bool, "Succeed if the package has no products"),
            SettingSchema(
                "parts", .path,
                "The directory of the files that other machines packaged from the same commit; verified instead of a build"
            ),
        ],
        outputs: [
            ActionOutput("archive", .string, "The path of the archive"),
            ActionOutput("sha256", .string, "Its SHA-256"),
            ActionOutput("version", .string, "The version"),
            ActionOutput("name", .string, "The name of the files, without their extensions"),
        ],
        example: """
            - package: {}
            - package: { products: [Shape, shape-tool], name: shape, version: 1.2.0, output: build/archives }
            - package: { verify: true, reproducible: true, sources: true, sign: true, allow-empty: false }
            - package: { formats: [deb, formula, image], description: Draw shapes in the terminal }
            - package: { parts: .lane/parts }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        if let parts = parts(settings) {
            return "verify the parts in \(parts), and copy their files to \(settings.string("output") ?? "dist")"
        }
        let products = settings.strings("products").map { list($0, joinedBy: "and") } ?? "all products"
        return "package \(products) in \(settings.string("output") ?? "dist")"
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let output = settings.string("output") ?? "dist"
        let last = ReleaseManifest.last(in: "\(context.root)/\(output)")
        return StepForecast(
            summary(of: settings),
            details: (last?.files ?? []).map { .file(path: "\(output)/\($0.name)", size: $0.size) })
    }

    /// Returns the directory of parts, which replace a build.
    private func parts(_ settings: Settings) -> String? { settings.string("parts").flatMap { $0.isEmpty ? nil : $0 } }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        if let parts = parts(settings) { return try PartCollection(settings: settings, context: context).run(parts) }
        let order = try PackageOrder(settings, context)
        if order.products.isEmpty { return StepResult(skipReason: PackageOrder.noProducts) }
        try order.requireFiles(settings, context)
        let built = try order.build()
        let output = "\(context.directory)/\(order.output)"
        try context.makeOutputDirectory(order.output)
        // The archive is renamed after its test.
        let untested = "\(output)/.\(order.base).tar.gz.untested"
        defer { try? removeTree(untested) }
        let made = try convertingArchiveErrors(
            of: built.contents.writeTarGzip(to: untested, modified: order.time, threads: availableProcessors))
        if settings.bool("verify") ?? true {
            try ArchiveSmokeTest(
                tools: order.tools, toolchain: order.toolchain, top: order.base,
                executables: built.executables.map(\.name), libraries: built.libraries
            ).check(untested, in: "\(order.buildDirectory)/proof")
        }
        if settings.bool("reproducible") ?? false { try reproduce(built, settings, context) }

        let archive = made.moved(to: "\(output)/\(order.base).tar.gz")
        try convertingFileErrors(of: moveFile(untested, to: archive.path))
        var papers = try writeSidecars(order, built, archive, settings, in: output)
        papers += try ReleaseChecksums(base: "\(output)/\(order.base)", isSigned: settings.bool("sign") ?? false)
            .write([archive] + papers, context)
        for file in [archive] + papers { context.keep(file, in: order.output) }
        try ReleaseManifest(version: order.version, commit: order.commit, files: [archive] + papers)
            .write(to: "\(order.output)/\(order.base)\(ReleaseManifest.suffix)", context)
        if settings.strings("formats")?.contains("formula") == true {
            try order.writeFormula(settings, archive, built, context)
        }
        return StepResult(outputs: [
            "archive": .string("\(order.output)/\(order.base).tar.gz"), "sha256": .string(archive.sha256.description),
            "version": .string(order.version.description), "name": .string(order.base),
        ])
    }

    /// Writes the files beside the archive.
    private func writeSidecars(
        _ order: PackageOrder, _ built: PackageOrder.Built, _ archive: WrittenFile, _ settings: Settings,
        in output: String
    ) throws(OperationFailure) -> [WrittenFile] {
        let record = try order.record()
        let base = "\(output)/\(order.base)"
        let bundle = try ArtifactBundle(
            record: record, executables: built.executables, licenses: built.licenses
        ).contents()
        let packages = try order.toolPackages(settings, record, built)
            .write(to: base, programs: built.executables.map(\.path))
        return try convertingArchiveErrors { () throws(ArchiveError) in
            let sum = "\(archive.sha256)  \(order.base).tar.gz\n"
            var files = [try HashedOutputFile.write(Array(sum.utf8), to: "\(base).tar.gz.sha256")]
            let zip =
                built.executables.isEmpty
                ? nil : try bundle.writeZip(to: "\(base).artifactbundle.zip", modified: order.time)
            let others = (zip.map { [$0] } ?? []) + packages
            let billed = BilledFiles(archive: archive, contents: try built.contents.digests(), others: others)
            let materials = BillOfMaterials(record: record, files: billed)
            files.append(try HashedOutputFile.write(materials.bytes, to: base + BillOfMaterials.suffix))
            let bill = CycloneDXBill(record: record, files: billed)
            files.append(try HashedOutputFile.write(bill.bytes, to: base + CycloneDXBill.suffix))
            files += others
            let provenance = Provenance(
                record: record, files: [archive] + others, builds: built.builds,
                formats: settings.strings("formats") ?? [], description: settings.string("description"))
            files.append(try HashedOutputFile.write(provenance.bytes, to: base + ProvenanceStatement.suffix))
            return files
        }
    }

    /// Builds the package again in another directory, and compares the archives.
    private func reproduce(
        _ built: PackageOrder.Built, _ settings: Settings, _ context: StepContext
    ) throws(OperationFailure) {
        let elsewhere = try context.makeScratchDirectory("reproduction")
        defer { try? removeTree(elsewhere) }
        let again = try PackageOrder(settings, context, buildDirectory: elsewhere).build()
        let differences = try convertingArchiveErrors(
            of: ReproducibilityCheck.differences(between: built.contents, and: again.contents))
        guard differences.isEmpty else { throw ReproducibilityCheck.failure(differences) }
        context.report(.note, "a second build in another directory has the same bytes")
    }
}

/// A check that a second build of a package in another directory has the same bytes.
struct ReproducibilityCheck {
    /// Returns the paths of files that differ.
    static func differences(
        between one: ArchiveContents, and other: ArchiveContents
    ) throws(ArchiveError) -> [String] {
        let (left, right) = (try digests(one), try digests(other))
        return Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }.sorted()
    }

    static func failure(_ differences: [String]) -> OperationFailure {
        OperationFailure(
            "the package is not reproducible: \(count(differences.count, "file")) of a second build "
                + "\(differences.count == 1 ? "differs" : "differ"): \(differences.prefix(10).joined(separator: ", "))")
    }

    private static func digests(_ contents: ArchiveContents) throws(ArchiveError) -> [String: String] {
        var digests: [String: String] = [:]
        for entry in contents.entries {
            switch entry.content {
            case .directory: digests[entry.path] = "directory"
            case .link(let target): digests[entry.path] = "link to \(target)"
            case .bytes(let bytes, _): digests[entry.path] = SHA256.digest(of: bytes).description
            case .file(let path, _): digests[entry.path] = try SHA256.digest(ofFile: path).description
            }
        }
        return digests
    }
}
