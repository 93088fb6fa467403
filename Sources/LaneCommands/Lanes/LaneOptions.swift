import Arguments
import LaneModel
import Reports

/// The options that every lane has besides its own parameters.
enum LaneOptions {
    static let plan = Key<Bool>.flag("plan", help: "Show what would be done, and change nothing.")
    static let json = Key<Bool>.flag("json", help: "With --plan: print it as JSON.")
    static let jobs = Key<JobCount?>.option(
        "jobs", short: "j", value: "count", help: "How many steps and test processes may run at once.")
    static let keepGoing = Key<Bool>.flag(
        "keep-going", short: "k", help: "After a failure, go on with all that does not depend on it.")
    static let failFast = Key<Bool>.flag("fail-fast", help: "After a failure, end what is running at once.")
    static let force = Key<Bool>.flag("force", help: "Run steps although they are up to date.")
    static let why = Key<Bool>.flag("why", help: "Say of steps with inputs why they run.")
    static let resume = Key<Bool>.flag("resume", help: "Go on where the last run of this lane stopped.")
    /// Only of lanes that are transactions.
    static let abort = Key<Bool>.flag(
        "abort", help: "Remove what an interrupted run left, or take back a release that is not pushed.")
    static let step = Key<String?>.option(
        "step", value: "id", help: "Run only this step, with what the last run found out.")
    static let watch = Key<Bool>.flag("watch", help: "Run again whenever a file of the package changes.")
    static let container = Key<String?>.option(
        "in", value: "engine", help: "Run the lane in a container.", allowed: ["docker"])
    static let image = Key<String>.option(
        "image", value: "image", default: ContainerRun.defaultImage, help: "With --in: the container's image.")
    static let quiet = Key<Bool>.flag("quiet", short: "q", help: "Show failures and the verdict only.")
    static let verbose = Key<Bool>.flag("verbose", short: "v", help: "Show every test and all output.")
    static let events = Key<String?>.option(
        "events", value: "file", help: "Write every event to this file as JSON lines.", completion: .file)
    static let junit = Key<String?>.option(
        "junit", value: "file", help: "Write a JUnit report to this file.", completion: .file)
    static let summary = Key<String?>.option(
        "summary", value: "file", help: "Write a summary in Markdown to this file.", completion: .file)
    static let html = Key<String?>.option(
        "html", value: "file", help: "Write a report as one HTML page to this file.", completion: .file)

    /// Files that a run writes of itself.
    static let reports: [ParameterSpec] = [events.spec, junit.spec, summary.spec, html.spec]

    static let all: [ParameterSpec] =
        [
            plan.spec, json.spec, jobs.spec, keepGoing.spec, failFast.spec, force.spec, why.spec, resume.spec,
            step.spec, watch.spec, container.spec, image.spec, quiet.spec, verbose.spec,
        ] + reports

    static let names = Set(all.map(\.name) + [abort.spec.name])

    /// What no parameter of a lane may be named: help is an option of every command.
    static let taken = names.union(["help"])

    /// Options that say nothing, or two things, beside each other.
    static func clashes(in arguments: ParsedArguments) -> [String] {
        var clashes: [String] = []
        if arguments[json], !arguments[plan], !arguments[TestOverrides.list] {
            clashes.append("The option '--json' goes with '--plan'")
        }
        if arguments[keepGoing], arguments[failFast] {
            clashes.append("The options '--keep-going' and '--fail-fast' exclude each other")
        }
        return clashes
    }

    /// The words of a command line without those that are about one run only: what it reports and where it begins.
    static func lasting(_ words: [String]) -> [String] {
        removing(reports, andFlag: resume.spec, from: words)
    }

    /// The words of a command line without those that ask for a container.
    static func withoutContainer(_ words: [String]) -> [String] {
        removing([container.spec, image.spec], from: words)
    }

    /// The words without these options and their values, and without the flag; behind `--` nothing is an option.
    private static func removing(
        _ options: [ParameterSpec], andFlag flag: ParameterSpec? = nil, from words: [String]
    ) -> [String] {
        let options = options.map { "--\($0.name)" }
        let flag = flag.map { "--\($0.name)" }
        var kept: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" { return kept + [word] + rest }
            if options.contains(word) {
                _ = rest.popFirst()
            } else if word != flag, !options.contains(where: { word.hasPrefix($0 + "=") }) {
                kept.append(word)
            }
        }
        return kept
    }

    /// The files that reports are to be written to.
    static func files(in arguments: ParsedArguments) -> [String] {
        [events, junit, summary, html].compactMap { arguments[$0] }
    }

    static func level(_ arguments: ParsedArguments) -> ReportLevel {
        if arguments[verbose] { return .verbose }
        return arguments[quiet] ? .quiet : .normal
    }
}

/// How many may run at once.
struct JobCount: ArgumentValue {
    /// As many as a lane file may ask for.
    private static let range = 1...1024

    let number: Int

    init?(argument: String) {
        guard let number = Int(argument), Self.range.contains(number) else { return nil }
        self.number = number
    }

    static var expectation: String { "a whole number from 1 to \(range.upperBound)" }
}
