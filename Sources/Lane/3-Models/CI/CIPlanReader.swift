import Expressions
package import LaneModel
package import Text
import YAML

/// A reader of the configuration file `Lanes/ci/jobs.yml`, which overrides the default plan.
package struct CIPlanReader {
    /// The path relative to the package's root.
    package static let path = "Lanes/ci/jobs.yml"

    private let files: CheckedLaneFiles
    private var plan: CIPlan
    private var diagnostics = Diagnostics()
    /// The content of the file, for the locations of errors.
    private var document: YAMLNode?
    /// The names of the jobs whose title is in the file.
    private var titled: Set<String> = []

    /// Returns the plan of a package, and the errors of its configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration file, if any.
    ///   - plan: The plan with default values.
    package static func plan(
        _ configuration: SourceFile?, files: CheckedLaneFiles, defaults plan: CIPlan
    ) throws(Diagnostics) -> CIPlan {
        var reader = CIPlanReader(files: files, plan: plan)
        if let configuration { reader.read(configuration) } else { reader.plan.addDefaultJobs(from: files) }
        try reader.diagnostics.throwIfErrors()
        return reader.plan
    }

    /// Returns the line of the configuration with a branch for which jobs start.
    package static func line(forBranch branch: String) -> String { "branches: [\(YAMLWriter.quoted(branch))]" }

    /// Returns a configuration with a branch for which jobs start, or `nil` if the text cannot be extended: it has other
    /// branches, so that the key would be there twice, or is in braces.
    package static func configuration(_ text: String, adding branch: String) -> String? {
        let separator = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
        let extended = text + separator + line(forBranch: branch) + "\n"
        return YAMLParser.parse(SourceFile(path: path, text: extended)).1.hasErrors ? nil : extended
    }

    private init(files: CheckedLaneFiles, plan: CIPlan) {
        self.files = files
        self.plan = plan
    }

    private mutating func read(_ source: SourceFile) {
        let (settings, errors) = SettingsFile.read(source, CIKeys.file)
        diagnostics.add(errors)
        guard let settings else { return }
        document = YAMLParser.parse(source).node
        if let names = settings.strings("services") { plan.services = names }
        plan.store = settings.string("store")
        checkAddress(plan.store, at: document?["store"]?.span)
        if let branches = settings.strings("branches") { plan.branches = branches }
        if let tags = settings.strings("tags") { plan.tags = tags }
        if let paths = settings.strings("paths") { plan.paths = paths }
        if let image = settings.string("image") {
            plan.image = image
            check(image: image, at: document?["image"]?.span)
        }
        readTool(settings)
        if let setup = settings.strings("setup") { plan.setup = setup }
        if let jobs = settings.map("jobs") { readJobs(jobs) } else { plan.addDefaultJobs(from: files) }
        guard !diagnostics.hasErrors else { return }
        for format in CIFormat.all where plan.services.contains(format.name) {
            for problem in format.problems(plan) { report(problem) }
        }
        plan.expandVariants()
        plan.expandShards()
        checkPartNames()
    }

    private mutating func readJobs(_ jobs: [(name: String, value: Value)]) {
        for (name, value) in jobs {
            guard case .map(let members) = value else { continue }
            add(name, Settings(Value.byName(members)))
        }
        checkNeeds()
        checkNames()
        for job in plan.jobs {
            for problem in [CIPlan.shardProblem(of: job), plan.variantProblem(of: job)].compactMap(\.self) {
                report(problem)
            }
        }
        plan.makeTitlesUnique(except: titled)
    }

    /// Reads the key `lane`, such as `lane: bin/lane` or `lane: { repository: ADDRESS, version: 1.2.3, sha256: … }`.
    private mutating func readTool(_ settings: Settings) {
        if let command = settings.string("lane") { (plan.command, plan.tool) = (command, nil) }
        guard let members = settings.map("lane") else { return }
        let source = Settings(Value.byName(members))
        guard let repository = source.string("repository"), let version = source.string("version") else { return }
        checkAddress(repository, at: document?["lane"]?["repository"]?.span)
        let sha256 = source.string("sha256")
        if let sha256, !isSHA256(sha256) {
            diagnostics.error(
                "'\(sha256)' is not a SHA-256", at: document?["lane"]?["sha256"]?.span,
                hint: "expected 64 hexadecimal digits")
        }
        plan.fetch(CITool(version: version, repository: repository, sha256: sha256))
    }

    private mutating func add(_ name: String, _ settings: Settings) {
        let isName = name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
        guard isName, name.utf8.first?.isLetter == true, name != GitHubWorkflow.gate else {
            let hint = "start with a letter, and use letters, digits and '-'"
            return diagnostics.error("'\(name)' is not a valid name for a job", at: span(of: name), hint: hint)
        }
        guard case .list(let entries)? = settings["lanes"] else { return }
        let lanes = document?["jobs"]?[name]?["lanes"]
        if settings.string("name") != nil { titled.insert(name) }
        let calls = entries.enumerated().compactMap { index, entry in
            call(entry, at: lanes?.sequence?[index].span ?? lanes?.span)
        }
        guard let first = calls.first else { return }
        var job = CIJob(name: name, title: settings.string("name") ?? first.lane.summary ?? name, calls: calls)
        job.minutes =
            settings.duration("timeout").map { max(1, Int(($0.components.seconds + 59) / 60)) }
            ?? calls.map(\.minutes).reduce(0, +)
        readEvents(settings, &job)
        job.runner = settings.strings("runner") ?? []
        job.needs = settings.strings("needs") ?? []
        job.shards = settings.integer("shards") ?? 1
        let systems = (settings.strings("os") ?? []).compactMap(CIJob.System.init).uniqued()
        if !systems.isEmpty { job.systems = systems }
        job.versions = (settings.strings("swift") ?? []).uniqued()
        job.image = settings.string("image")
        if job.image != nil, !job.systems.contains(where: \.isLinux) {
            report(
                "image", of: job, "has an image but runs on \(job.system.rawValue)",
                hint: "only Linux jobs run in a container")
        }
        if let image = job.image { check(image: image, at: span(of: name, "image")) }
        job.setup = settings.strings("setup") ?? []
        job.artifacts = settings.strings("artifacts") ?? []
        job.environment = settings.string("environment")
        job.mayFail = settings.bool("may-fail") ?? false
        job.permissions = (settings.map("permissions") ?? []).compactMap { member in
            member.value.text.map { (member.name, $0) }
        }
        if job.isManual, job.events.count > 1 {
            report("on", of: job, "has both 'manual' and other events", hint: "split it into two jobs")
        }
        if job.isManual, name == "ci" {
            diagnostics.error(
                "'ci' is not a valid name for a manual job", at: span(of: name),
                hint: "rename it, because the file of this name contains the automatic jobs")
        }
        if !job.isManual, let open = calls.flatMap(\.openParameters).first(where: \.isRequired) {
            report(
                "lanes", of: job, "needs a value for '\(open.name)'",
                hint: "add the value, or use 'on: manual', which prompts for it")
        }
        if job.isManual { checkInputs(of: job) }
        plan.jobs.append(job)
    }

    /// Reports different parameters of a form with the same name, or with names that differ only in characters that a
    /// variable cannot have.
    private mutating func checkInputs(of job: CIJob) {
        let inputs = job.inputs
        if let secret = inputs.first(where: \.isSecret) {
            report(
                "lanes", of: job,
                "would show the secret '\(secret.name)', because services show the inputs of forms",
                hint: "add 'env: NAME' to the parameter, and NAME to the 'secrets' of the lane")
        }
        for open in job.calls.flatMap(\.openParameters) {
            guard let other = inputs.first(where: { CIShell.variable($0) == CIShell.variable(open) }),
                !open.hasSameInput(as: other)
            else { continue }
            return report(
                "lanes", of: job, "asks for '\(other.name)' and for another '\(open.name)'",
                hint: "add a value for one of them, or split the job")
        }
    }

    private mutating func readEvents(_ settings: Settings, _ job: inout CIJob) {
        job.schedules = settings.strings("schedule") ?? []
        for text in job.schedules {
            if let problem = CronSchedule.problem(in: text) {
                diagnostics.error(
                    "'\(text)' is not a schedule: \(problem)", at: span(of: job.name, "schedule"),
                    hint: "for example '0 3 * * 1-5', at 3:00 UTC from Monday to Friday")
            }
        }
        if let events = settings.strings("on") {
            job.events = Set(events.compactMap(CIJob.Event.init))
        } else if !job.schedules.isEmpty {
            job.events = []
        }
        if !job.schedules.isEmpty { job.events.insert(.schedule) }
        if job.events.contains(.schedule), job.schedules.isEmpty {
            report("on", of: job, "has no schedule", hint: "add 'schedule: 0 3 * * *'")
        }
    }

    /// Reads a lane such as `test` or `{ lane: package, parameters: { test: false } }`.
    private mutating func call(_ entry: Value, at span: Span?) -> CICall? {
        var name = entry.text
        var values: [String: String] = [:]
        var lists: [String] = []
        if case .map(let members) = entry {
            name = members.first { $0.name == "lane" }?.value.text
            if case .map(let given)? = members.first(where: { $0.name == "parameters" })?.value {
                for member in given { values[member.name] = member.value.text }
                lists = given.filter { ExpressionType($0.value) == .list }.map(\.name)
            }
        }
        guard let name else { return nil }
        if let list = lists.first {
            diagnostics.error(
                "expected a single value for '\(list)'", at: span,
                hint: "call the lane from another lane, with the list")
            return nil
        }
        guard let lane = files[name], !lane.isPrivate else {
            let near = suggestion(for: name, among: files.lanes.filter { !$0.isPrivate }.map(\.name))
            diagnostics.error("there is no lane '\(name)'", at: span, hint: near)
            return nil
        }
        do throws(Diagnostics) {
            _ = try lane.parameterValues(of: values.mapValues { [$0] }, isPartial: true)
        } catch {
            for problem in error.all { diagnostics.error(problem.message, at: span, hint: problem.hint) }
            return nil
        }
        return CICall(lane, values: values, in: files)
    }

    private mutating func checkNeeds() {
        let names = plan.automaticJobs.map(\.name)
        for (index, job) in plan.jobs.enumerated() {
            for need in job.needs {
                // A job can need only jobs above it, which prevents cycles.
                let needed = plan.jobs[..<index].first { $0.name == need && $0.isManual == job.isManual }
                guard let needed, !job.isManual else {
                    report(
                        "needs", of: job, "needs '\(need)', which is not a job above it",
                        hint: suggestion(for: need, among: names))
                    continue
                }
                if let time = job.schedules.first(where: { !needed.schedules.contains($0) }),
                    needed.events.contains(.schedule)
                {
                    report(
                        "needs", of: job, "starts at '\(time)' and needs '\(need)', which does not",
                        hint: "use the same 'schedule' for both")
                }
                // If a needed job is skipped, services skip the job and report success.
                let others = CIJob.Event.allCases.filter { job.events.contains($0) && !needed.events.contains($0) }
                guard let missing = others.first else { continue }
                report(
                    "needs", of: job, "runs on \(missing.rawValue) and needs '\(need)', which does not",
                    hint: "use the same 'on' for both")
            }
        }
    }

    /// Reports jobs with the same name, ignoring case: services name files and checks after jobs, and some ignore case.
    private mutating func checkNames() {
        for (index, job) in plan.jobs.enumerated() {
            for other in plan.jobs[..<index] {
                if other.name.lowercased() == job.name.lowercased() {
                    diagnostics.error(
                        "jobs '\(other.name)' and '\(job.name)' differ only in case", at: span(of: job.name),
                        hint: "rename one of them")
                }
                if titled.contains(job.name), titled.contains(other.name), other.title == job.title {
                    diagnostics.error(
                        "jobs '\(other.name)' and '\(job.name)' have the same name '\(job.title)'",
                        at: span(of: job.name, "name"), hint: "rename one of them")
                }
            }
            if titled.contains(job.name), job.title == GitHubWorkflow.gateTitle {
                report("name", of: job, "has the name of the job that waits for all others", hint: "rename it")
            }
        }
    }

    private mutating func report(_ problem: CIPlanProblem) {
        if let job = problem.job {
            return report(problem.setting, of: job, problem.text, hint: problem.hint)
        }
        let node = document?[problem.setting] ?? document?["services"]
        diagnostics.error(problem.text, at: node?.span, hint: problem.hint)
    }

    private mutating func report(_ setting: String, of job: CIJob, _ text: String, hint: String?) {
        diagnostics.error("job '\(job.name)' \(text)", at: span(of: job.name, setting), hint: hint)
    }

    /// Reports jobs with the name of a shard or variant of another job.
    private mutating func checkPartNames() {
        let byName = Dictionary(grouping: plan.jobs) { $0.name.lowercased() }
        for part in plan.jobs where part.name != part.origin {
            for other in byName[part.name.lowercased()] ?? [] where other.origin != part.origin {
                diagnostics.error(
                    "job '\(part.name)' has the name of a part of '\(part.origin)', which has "
                        + (part.stage == nil ? "several variants" : "shards"), at: span(of: other.origin),
                    hint: "rename it")
            }
        }
    }

    /// Reports the placeholder of a hint in an address.
    private mutating func checkAddress(_ address: String?, at span: Span?) {
        guard let address, address.hasSuffix("…") else { return }
        diagnostics.error("'\(address)' is not an address", at: span, hint: "replace '…' by the rest of the address")
    }

    /// Reports an invalid digest in the name of an image.
    private mutating func check(image: String, at span: Span?) {
        guard let mark = image.firstIndex(of: "@") else { return }
        let digest = image[image.index(after: mark)...]
        if digest.hasPrefix("sha256:"), isSHA256(digest.dropFirst("sha256:".count)) { return }
        diagnostics.error(
            "'\(digest)' is not a digest of an image", at: span, hint: "expected 'sha256:' and 64 hexadecimal digits")
    }

    private func isSHA256(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// Returns the location of a job's setting, or of its name.
    private func span(of job: String, _ setting: String? = nil) -> Span? {
        let member = document?["jobs"]?.members?.first { $0.name == job }
        return setting.flatMap { member?.value[$0]?.span } ?? member?.nameSpan
    }
}

extension Parameter {
    /// Returns a Boolean value that indicates whether one input of a form can set both parameters.
    fileprivate func hasSameInput(as other: Parameter) -> Bool {
        name == other.name && kind == other.kind && values == other.values && isRequired == other.isRequired
            && defaultValue == other.defaultValue && hasInverse == other.hasInverse
    }
}
