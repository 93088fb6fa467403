import LaneModel
import Text

/// The variants of a job: one for each version of Swift on Linux, and one on macOS, where Xcode contains the toolchain.
extension CIPlan {
    /// Returns the error of a job's versions and systems, and the setting that causes it.
    func variantProblem(of job: CIJob) -> (setting: String, text: String, hint: String)? {
        if services.contains(.azure), job.systems.contains(.linuxARM), !job.isManual {
            return ("os", "runs on linux-arm64, which Azure does not offer", "remove 'azure' from 'services'")
        }
        if !job.versions.isEmpty, !job.systems.contains(where: \.isLinux) {
            return (
                "swift", "has versions of Swift but runs on macos",
                "on macOS, Xcode determines the version; add 'linux' to 'os'"
            )
        }
        let image = job.image ?? image
        if let version = job.versions.first, Self.image(image, ofSwift: version) == nil {
            return (
                "swift", "has versions of Swift but no version in its image '\(image)'",
                "use one like '\(Self().image)'"
            )
        }
        guard job.versions.count > 1 || job.systems.count > 1 else { return nil }
        if job.isManual, !job.hasParts || job.versions.count > 1 {
            return (
                "on", "has several variants but is started manually",
                "use other events, or several systems for a release lane with the parameters 'parts' and 'publish'"
            )
        }
        if job.systems.count > 1, !job.runner.isEmpty {
            return ("runner", "has a runner and several systems", "use a separate job for each system")
        }
        return nil
    }

    /// Replaces each job that has several versions or systems with a job for each. A job that needs the original needs
    /// all replacements.
    mutating func expandVariants() {
        var variantNames: [String: [String]] = [:]
        jobs = jobs.flatMap { job in
            var job = job
            job.needs = job.needs.flatMap { variantNames[$0] ?? [$0] }
            let variants = variants(of: job)
            variantNames[job.name] = variants.map(\.name)
            return variants
        }
    }

    private func variants(of job: CIJob) -> [CIJob] {
        let hasOneVariant = job.versions.count <= 1 && job.systems.count == 1
        func variant(_ system: CIJob.System, _ image: String?, _ suffix: String, _ title: String) -> CIJob {
            var variant = job
            (variant.systems, variant.image) = ([system], image)
            guard !hasOneVariant else { return variant }
            variant.name = "\(job.name)-\(suffix)"
            variant.title = "\(job.title) (\(title))"
            return variant
        }
        if job.hasParts {
            var parts = job
            if let version = job.versions.first { parts.image = Self.image(job.image ?? image, ofSwift: version) }
            return [parts]
        }
        return job.systems.flatMap { system in
            guard system.isLinux, !job.versions.isEmpty else {
                return [variant(system, system.isLinux ? job.image : nil, system.rawValue, system.title)]
            }
            return job.versions.map { version in
                let image = Self.image(job.image ?? image, ofSwift: version)
                let name = version.replacing(".", with: "-")
                guard system != .linux else { return variant(system, image, name, "Swift \(version)") }
                return variant(system, image, "\(name)-arm64", "Swift \(version) on arm64")
            }
        }
    }

    /// Returns an image with another version in its tag, or `nil` if the tag does not start with one.
    private static func image(_ image: String, ofSwift version: String) -> String? {
        guard let colon = image.lastIndex(of: ":"), !image.contains("@") else { return nil }
        let tag = image[image.index(after: colon)...]
        let rest = tag.drop { $0.isNumber || $0 == "." }
        guard rest.count < tag.count, rest.isEmpty || rest.hasPrefix("-") else { return nil }
        return "\(image[...colon])\(version)\(rest)"
    }
}
