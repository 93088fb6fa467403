package import LaneModel
package import LaneRun

import Diagnostics
import LaneEvents

/// `bump`: writes the next version into every place that names it.
package struct BumpAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings, writing: settings.string("version") ?? "the version that the commits ask for")
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let text = settings.string("version")
        guard let request = VersionRequest(text) else {
            return StepForecast(summary(of: settings), obstacles: [VersionRequest.refusal(of: text ?? "")])
        }
        do throws(StepFailure) {
            let facts = try VersionFacts.read(
                Git(context), root: context.directory, files: VersionPlaces.NamedFile.read(settings))
            let version = try facts.version(for: request)
            return StepForecast(
                summary(settings, writing: facts.explained(version, for: request, asked: text)),
                outputs: outputs(version, facts), obstacles: facts.problems(with: version))
        } catch {
            return StepForecast(summary(of: settings), obstacles: [error.message])
        }
    }

    private func summary(_ settings: Settings, writing version: String) -> String {
        let files = VersionPlaces.NamedFile.read(settings)?.map(\.path).joined(separator: ", ")
        return "write \(version) into \(files ?? "every file that names the version")"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let text = settings.string("version")
        guard let request = VersionRequest(text) else { throw .refused([VersionRequest.refusal(of: text ?? "")]) }
        let facts = try VersionFacts.read(
            Git(context), root: context.directory, files: VersionPlaces.NamedFile.read(settings))
        let version = try facts.version(for: request)
        let problems = facts.problems(with: version)
        guard problems.isEmpty else { throw .refused(problems) }

        let places = facts.places.places
        let stale = places.filter { $0.version.description != version.description }
        let outputs = outputs(version, facts)
        if places.isEmpty {
            return StepResult(outputs: outputs, skipReason: "no file names the version; the tag will")
        }
        if stale.isEmpty { return StepResult(outputs: outputs, skipReason: "every file names \(version) already") }
        let files = try VersionEdit(root: context.directory, places: stale).write(version)
        for place in stale {
            context.tell(.note, "\(place.location): \(place.version) → \(version)")
        }
        return StepResult(outputs: outputs.merging(["files": .list(files.map { .string($0) })]) { $1 })
    }

    private func outputs(_ version: SemanticVersion, _ facts: VersionFacts) -> [String: Value] {
        [
            "version": .string(version.description), "tag": .string(facts.tags.prefix + version.description),
            "previous": (facts.tags.last?.version ?? facts.places.version).map { .string($0.description) } ?? .null,
        ]
    }
}
