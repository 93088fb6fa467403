package import Actions
import Archives
import Expressions
package import Git
import LaneModel
package import OperatingSystem
import Text

/// A build of a release from its commit, which must have the same bytes.
package struct ReleaseRebuild {
    /// Git in the checkout of the package.
    private let git: Git
    /// A private directory for the clone.
    private let scratch: String
    /// A closure that returns the context of a step in a directory.
    private let context: (_ directory: String, _ time: String?) -> StepContext

    package init(
        git: Git, scratch: String, context: @escaping (_ directory: String, _ time: String?) -> StepContext
    ) {
        (self.git, self.scratch, self.context) = (git, scratch, context)
    }

    /// Builds the files of the statements and compares them.
    package func row(for statements: [ProvenanceStatement]) throws(OperationFailure) -> VerificationReport.Row {
        var row = VerificationReport.Row("rebuild")
        if statements.isEmpty { row.problems.append("no provenance names the commit and the products to build") }
        var same: [String] = []
        for (index, statement) in statements.enumerated() {
            guard try git.contains(commit: statement.commit) else {
                row.problems.append(
                    "this checkout has no commit \(statement.commit.prefix(12)) to build\nhint: git fetch --tags")
                continue
            }
            let output = try build(statement, in: "\(scratch)/\(index)")
            let toolchain = Self.toolchain(of: output)
            for subject in statement.subjects {
                let path = "\(output)/\(subject.name)"
                if let toolchain, toolchain != statement.toolchain {
                    row.problems.append(
                        "'\(subject.name)' cannot be compared: it was built by \(statement.toolchain), here by \(toolchain)"
                    )
                } else if !fileExists(path) {
                    row.problems.append("the rebuild did not create '\(subject.name)'")
                } else if try digest(of: path) == subject.sha256 {
                    same.append("'\(subject.name)'")
                } else {
                    row.problems.append("'\(subject.name)' differs from a build of \(statement.commit.prefix(12))")
                }
            }
        }
        if !same.isEmpty {
            row.pass("\(list(same, joinedBy: "and")) \(same.count == 1 ? "has" : "have") the same bytes")
        }
        return row
    }

    private func digest(of path: String) throws(OperationFailure) -> String {
        try convertingArchiveErrors(of: SHA256.digest(ofFile: path).description)
    }

    /// Packages a commit in a clone. Returns the directory of the files.
    private func build(_ statement: ProvenanceStatement, in clone: String) throws(OperationFailure) -> String {
        let directory = try git.checkOut(statement.commit, to: clone)
        // Some files name the repository.
        if let origin = statement.origin { try git.inside(clone).run(["config", "remote.origin.url", origin]) }
        var settings: [String: Value] = ["version": .string(statement.version), "verify": .bool(false)]
        if let name = statement.name { settings["name"] = .string(name) }
        // The formula contains no program.
        settings["formats"] = .list(statement.formats.filter { $0 != "formula" }.map { .string($0) })
        if let description = statement.description { settings["description"] = .string(description) }
        settings["products"] = .list(statement.products.map { .string($0) })
        _ = try PackageAction().run(Settings(settings), in: context(directory, statement.time))
        return "\(directory)/dist"
    }

    /// Returns the toolchain that the provenance in a directory names.
    private static func toolchain(of directory: String) -> String? {
        let names = ((try? listDirectory(directory)) ?? []).filter { $0.hasSuffix(ProvenanceStatement.suffix) }
        return names.first.flatMap { try? readFile("\(directory)/\($0)") }.flatMap(ProvenanceStatement.init(reading:))?
            .toolchain
    }
}
