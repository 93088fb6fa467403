/// A CI service that interprets commands in the output of a build.
///
/// The raw value is the name of the service in `ci.name`.
package enum CIHost: String, Sendable {
    case github, azure
    case teamCity = "teamcity"

    /// Returns the command that starts a collapsible group of the log.
    func groupStart(_ name: String) -> String {
        switch self {
        case .github: "::group::\(Escaping.githubData(name))\n"
        case .azure: "##[group]\(Escaping.azureData(name))\n"
        case .teamCity: "##teamcity[blockOpened name='\(Escaping.teamCity(name))']\n"
        }
    }

    func groupEnd(_ name: String) -> String {
        switch self {
        case .github: "::endgroup::\n"
        case .azure: "##[endgroup]\n"
        case .teamCity: "##teamcity[blockClosed name='\(Escaping.teamCity(name))']\n"
        }
    }

    /// Returns the command that masks a line of a secret. Services mask secrets line by line.
    package func mask(_ line: String) -> String? {
        switch self {
        case .github: "::add-mask::\(Escaping.githubData(line))\n"
        case .azure: "##vso[task.setsecret]\(Escaping.azureData(line))\n"
        case .teamCity: nil
        }
    }
}
