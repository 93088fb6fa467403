package import OperatingSystem

/// The commands in the output of a build that a CI service interprets.
package enum LogCommands: Sendable {
    case github, azure

    /// Creates the commands of a service, or returns `nil` if it interprets none.
    package init?(_ service: CIService) {
        switch service {
        case .github: self = .github
        case .azure: self = .azure
        default: return nil
        }
    }

    /// Returns the command that starts a collapsible group of the log.
    func groupStart(_ name: String) -> String {
        switch self {
        case .github: "::group::\(Escaping.githubData(name))\n"
        case .azure: "##[group]\(Escaping.azureData(name))\n"
        }
    }

    func groupEnd(_ name: String) -> String {
        switch self {
        case .github: "::endgroup::\n"
        case .azure: "##[endgroup]\n"
        }
    }

    /// Returns the command that masks a line of a secret. Services mask secrets line by line.
    package func mask(_ line: String) -> String {
        switch self {
        case .github: "::add-mask::\(Escaping.githubData(line))\n"
        case .azure: "##vso[task.setsecret]\(Escaping.azureData(line))\n"
        }
    }
}
