/// A service that runs builds and obeys commands it finds in the output.
package enum CIHost: String, Sendable {
    case github, azure, teamCity

    /// Opens a part of the log that can be folded.
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

    /// Has the service mask a secret wherever it shows it. Services mask line by line, so each line is told by itself.
    package func mask(_ line: String) -> String? {
        switch self {
        case .github: "::add-mask::\(Escaping.githubData(line))\n"
        case .azure: "##vso[task.setsecret]\(Escaping.azureData(line))\n"
        case .teamCity: nil
        }
    }
}
