package import Diagnostics
package import LaneModel
import ASCII
import YAML

/// Reads `Lanes/ci/jobs.yml`, which says what differs from the defaults.
package struct CIPlanReader {
    /// Relative to the package's root.
    package static let path = "Lanes/ci/jobs.yml"

    private let files: CheckedLaneFiles
    private var plan: CIPlan
    private var diagnostics = Diagnostics()
    /// The file as it is written, for places.
    private var document: YAMLNode?
    /// The jobs whose titles the file gives.
    private var titled: Set<String> = []

    /// The plan of a package, with everything that is wrong with its configuration.
    ///
    /// - Parameters:
    ///   - configuration: The file, if there is one.
    ///   - plan: What holds where the file says nothing.
    package static func plan(
        _ configuration: SourceFile?, files: CheckedLaneFiles, defaults plan: CIPlan
    ) throws(Diagnostics) -> CIPlan {
        var reader = CIPlanReader(files: files, plan: plan)
        if let configuration { reader.read(configuration) } else { reader.plan.addDefaultJobs(from: files) }
        try reader.diagnostics.throwIfErrors()
        return reader.plan
    }

    private init(files: CheckedLaneFiles, plan: CIPlan) {
        self.files = files
        self.plan = plan
    }

    private mutating func read(_ source: SourceFile) {
        let (settings, found) = SettingsFile.read(source, CIKeys.file)
        diagnostics.add(found)
        guard let settings else { return }
        document = YAMLParser.parse(source).node
        if let names = settings.strings("services") { plan.services = names.compactMap(CIPlan.Service.init) }
        if let branches = settings.strings("branches") { plan.branches = branches }
        if plan.services.contains(.circleci), let excluded = plan.branches.first(where: { $0.hasPrefix("!") }) {
            diagnostics.error(
                "CircleCI has no pattern for branches other than '\(excluded.dropFirst())'",
                at: document?["branches"]?.span, hint: "name the branches that run the jobs")
        }
        if let paths = settings.strings("paths") { plan.paths = paths }
        if let image = settings.string("image") {
            plan.image = image
            check(image: image, at: document?["image"]?.span)
        }
        readTool(settings)
        if let setup = settings.strings("setup") { plan.setup = setup }
        guard let jobs = settings.map("jobs") else { return plan.addDefaultJobs(from: files) }
        for (name, value) in jobs {
            guard case .map(let members) = value else { continue }
            add(name, Settings(Dictionary(members.map { ($0.name, $0.value) }) { $1 }))
        }
        checkNeeds()
        checkNames()
        plan.makeTitlesUnique(except: titled)
    }

    /// `lane: bin/lane`, or `lane: { repository: ADDRESS, version: 1.2.3 }`.
    private mutating func readTool(_ settings: Settings) {
        if let command = settings.string("lane") { (plan.command, plan.tool) = (command, nil) }
        guard let members = settings.map("lane") else { return }
        let source = Settings(Dictionary(members.map { ($0.name, $0.value) }) { $1 })
        guard let repository = source.string("repository"), let version = source.string("version") else { return }
        plan.fetch(CITool(version: version, repository: repository))
    }

    private mutating func add(_ name: String, _ settings: Settings) {
        let isName = name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
        guard isName, name.utf8.first?.isLetter == true, name != GitHubWorkflow.gate else {
            let hint = "use letters, digits and '-', and begin with a letter"
            return diagnostics.error("'\(name)' cannot name a job", at: place(name), hint: hint)
        }
        guard case .list(let entries)? = settings["lanes"] else { return }
        let places = document?["jobs"]?[name]?["lanes"]
        if settings.string("name") != nil { titled.insert(name) }
        let calls = entries.enumerated().compactMap { index, entry in
            call(entry, at: places?.sequence?[index].span ?? places?.span)
        }
        guard let first = calls.first else { return }
        var job = CIJob(name: name, title: settings.string("name") ?? first.lane.summary ?? name, calls: calls)
        job.minutes =
            settings.duration("timeout").map { max(1, Int(($0.components.seconds + 59) / 60)) }
            ?? calls.map(\.minutes).reduce(0, +)
        if let events = settings.strings("on") { job.events = Set(events.compactMap(CIJob.Event.init)) }
        job.needs = settings.strings("needs") ?? []
        job.system = settings.string("os").flatMap(CIJob.System.init) ?? .linux
        job.image = settings.string("image")
        if job.image != nil, job.system != .linux {
            diagnostics.error(
                "job '\(name)' has an image, but runs on \(job.system.rawValue)", at: place(name, "image"),
                hint: "only Linux jobs run in one")
        }
        if let image = job.image { check(image: image, at: place(name, "image")) }
        job.setup = settings.strings("setup") ?? []
        job.artifacts = settings.strings("artifacts") ?? []
        job.environment = settings.string("environment")
        job.permissions = (settings.map("permissions") ?? []).compactMap { member in
            member.value.text.map { (member.name, $0) }
        }
        if job.isManual, job.events.count > 1 {
            diagnostics.error(
                "job '\(name)' is started by hand and by events", at: place(name, "on"), hint: "make two jobs of it")
        }
        if job.isManual, name == "ci" {
            diagnostics.error(
                "'ci' cannot name a job that is started by hand", at: place(name),
                hint: "the jobs that events start have the file of that name; 'by-hand' is another one")
        }
        if !job.isManual, let open = calls.flatMap(\.openParameters).first(where: \.isRequired) {
            diagnostics.error(
                "job '\(name)' needs a value for '\(open.name)'", at: place(name, "lanes"),
                hint: "give one, or say 'on: manual', which asks for it")
        }
        plan.jobs.append(job)
    }

    /// `test`, or `{ lane: package, parameters: { test: false } }`.
    private mutating func call(_ entry: Value, at place: Span?) -> CICall? {
        var name = entry.text
        var values: [String: String] = [:]
        if case .map(let members) = entry {
            name = members.first { $0.name == "lane" }?.value.text
            if case .map(let given)? = members.first(where: { $0.name == "parameters" })?.value {
                for member in given { values[member.name] = member.value.text }
            }
        }
        guard let name else { return nil }
        guard let lane = files[name], !lane.isPrivate else {
            let near = nearest(to: name, among: files.lanes.filter { !$0.isPrivate }.map(\.name))
            diagnostics.error("there is no lane '\(name)'", at: place, hint: near.map { "did you mean '\($0)'?" })
            return nil
        }
        do throws(Diagnostics) {
            _ = try ParameterValues(of: lane, texts: values, isPartial: true)
        } catch {
            for problem in error.all { diagnostics.error(problem.message, at: place, hint: problem.hint) }
            return nil
        }
        return CICall(lane, values: values, in: files)
    }

    private mutating func checkNeeds() {
        let names = plan.automaticJobs.map(\.name)
        for (index, job) in plan.jobs.enumerated() {
            for need in job.needs {
                // Only those above, so that there is no circle.
                let needed = plan.jobs[..<index].first { $0.name == need && $0.isManual == job.isManual }
                guard let needed, !job.isManual else {
                    let near = nearest(to: need, among: names).map { "did you mean '\($0)'?" }
                    diagnostics.error(
                        "job '\(job.name)' needs '\(need)', which is no job above it", at: place(job.name, "needs"),
                        hint: near)
                    continue
                }
                // A service skips what needs a skipped job, and calls that a success.
                guard
                    let missing = CIJob.Event.allCases.first(where: {
                        job.events.contains($0) && !needed.events.contains($0)
                    })
                else { continue }
                diagnostics.error(
                    "job '\(job.name)' runs on \(missing.rawValue) and needs '\(need)', which does not",
                    at: place(job.name, "needs"), hint: "give both the same 'on'")
            }
        }
    }

    /// Services name jobs, files and checks after a job, and some do not tell capitals from small letters.
    private mutating func checkNames() {
        for (index, job) in plan.jobs.enumerated() {
            for other in plan.jobs[..<index] {
                if other.name.lowercased() == job.name.lowercased() {
                    diagnostics.error(
                        "jobs '\(other.name)' and '\(job.name)' differ in capitals only", at: place(job.name),
                        hint: "rename one of them")
                }
                if titled.contains(job.name), titled.contains(other.name), other.title == job.title {
                    diagnostics.error(
                        "jobs '\(other.name)' and '\(job.name)' have the same name '\(job.title)'",
                        at: place(job.name, "name"), hint: "rename one of them")
                }
            }
            if titled.contains(job.name), job.title == GitHubWorkflow.gateTitle {
                diagnostics.error(
                    "job '\(job.name)' has the name of the job that waits for all", at: place(job.name, "name"),
                    hint: "rename it")
            }
        }
    }

    /// An image may be named by its digest, which no registry can change.
    private mutating func check(image: String, at place: Span?) {
        guard let mark = image.firstIndex(of: "@") else { return }
        let digest = image[image.index(after: mark)...]
        let digits = digest.dropFirst("sha256:".count).utf8
        let isHexadecimal = digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        if digest.hasPrefix("sha256:"), digits.count == 64, isHexadecimal { return }
        diagnostics.error(
            "'\(digest)' is no digest of an image", at: place, hint: "expected 'sha256:' and 64 hexadecimal digits")
    }

    /// Where a job's setting stands, or its name.
    private func place(_ job: String, _ setting: String? = nil) -> Span? {
        let member = document?["jobs"]?.members?.first { $0.name == job }
        return setting.flatMap { member?.value[$0]?.span } ?? member?.nameSpan
    }
}

/// The keys of the configuration.
enum CIKeys {
    static let file = ActionSchema(
        CIPlanReader.path, "How lanes run in CI",
        settings: [
            SettingSchema("services", .list(.choice(CIPlan.Service.allCases.map(\.rawValue))), "For which CI services"),
            SettingSchema("branches", .list(.string), "Branches whose pushes run the jobs"),
            SettingSchema(
                "paths", .list(.string),
                "Changes of these run the jobs, as patterns from the repository's root; '**' for all"),
            SettingSchema("image", .string, "The container image of Linux jobs"),
            SettingSchema(
                "lane", .either([.string, .object(tool)]), "The command that runs lane, or where to fetch it"),
            SettingSchema("setup", .list(.string), "Shell commands before the lanes, in every job"),
            SettingSchema("jobs", .map(.object(job)), "The jobs by their names"),
        ])

    private static let tool = [
        SettingSchema("repository", .string, "The git repository with 'ci/lane' in it", isRequired: true),
        SettingSchema("version", .string, "The tag of it", isRequired: true),
    ]

    private static let call = [
        SettingSchema("lane", .string, "The lane", isRequired: true),
        SettingSchema("parameters", .map(.any), "Values for its parameters"),
    ]

    private static let job = [
        SettingSchema(
            "lanes", .list(.either([.string, .object(call)])), "Lanes, one after the other", isRequired: true),
        SettingSchema("name", .string, "What people see"),
        SettingSchema("on", .list(.choice(CIJob.Event.allCases.map(\.rawValue))), "When it runs"),
        SettingSchema("needs", .list(.string), "Jobs above it that must have ended well"),
        SettingSchema("os", .choice(CIJob.System.allCases.map(\.rawValue)), "Where it runs"),
        SettingSchema("image", .string, "The container image of a Linux job, if not that of all"),
        SettingSchema("setup", .list(.string), "Shell commands before its lanes"),
        SettingSchema("timeout", .duration, "How long it may take"),
        SettingSchema("artifacts", .list(.path), "Files and folders to keep"),
        SettingSchema("permissions", .map(.choice(["read", "write"])), "Rights beyond reading, for GitHub"),
        SettingSchema("environment", .string, "GitHub's environment"),
    ]
}
