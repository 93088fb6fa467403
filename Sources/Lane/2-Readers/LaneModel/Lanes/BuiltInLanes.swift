package import Text
import YAML

/// The built-in lanes, which a package without lane files has.
package enum BuiltInLanes {
    /// The lane files of the lanes, which `lane init` writes.
    package static let sources: [SourceFile] = texts.map { SourceFile(path: "Lanes/\($0.name).yml", text: $0.text) }

    /// Returns the lane files for the root of a repository with several packages.
    ///
    /// - Parameter packages: The directories of the packages.
    package static func sources(running packages: [String]) -> [SourceFile] {
        let names = packages.map { YAMLWriter.quoted($0) }.joined(separator: ", ")
        return [("build", "Build"), ("test", "Test")].map { lane, verb in
            let text = """
                summary: \(verb) all packages
                matrix: { package: [\(names)] }
                steps:
                  - name: \(lane)
                    run: [lane, -C, "${{ matrix.package }}", \(lane)]

                """
            return SourceFile(path: "Lanes/\(lane).yml", text: text)
        }
    }

    /// The names of the lanes.
    package static var names: [String] { texts.map(\.name) }

    private static let texts: [(name: String, text: String)] = [
        ("build", build), ("test", test), ("api", api), ("package", package), ("release", release),
    ]

    private static let build = """
        summary: Build the package
        parameters:
          configuration: { type: enum, values: [debug, release], default: debug, position: 1, help: The build configuration }
        steps:
          - build: { configuration: "${{ parameters.configuration }}" }

        """

    private static let test = """
        summary: Run the tests
        steps:
          - test: {}

        """

    private static let api = """
        summary: Prove what breaks clients of the public API
        parameters:
          base: { type: string, default: "", position: 1, help: "The tag, version or commit to compare with; the last release by default" }
          output: { type: string, default: "", help: Write the report to this file as JSON }
        steps:
          - api: { base: "${{ parameters.base }}", report: "${{ parameters.output }}" }

        """

    private static let package = """
        summary: Build the release archives
        parameters:
          version: { type: version, position: 1, help: "x.y.z; found in files, tags or the changelog by default" }
        steps:
          - package: { version: "${{ parameters.version }}" }

        """

    private static let release = """
        summary: Test, package, tag and publish a new version
        parameters:
          version: { type: version, position: 1, default: auto, help: "x.y.z, [pre]major, [pre]minor, [pre]patch, prerelease, release or auto" }
          publish: { type: bool, default: false, help: Push the tag and create the GitHub release }
          pull-request: { type: bool, default: false, help: Propose the release in a pull request on GitHub }
          parts: { type: path, default: "", help: The directory of files that other machines packaged }
        secrets: [GITHUB_TOKEN]  # only for publishing and pull requests
        timeout: 1h
        transaction: true   # all or nothing
        steps:
          - require: { clean: true, version: "${{ parameters.version }}" }
          - name: check that publishing is possible
            require: { tools: [curl], secrets: [GITHUB_TOKEN], publish-to: github }
            if: ${{ parameters.publish || parameters.pull-request }}
          - bump: { version: "${{ parameters.version }}" }
          - changelog: {}
          - commit: {}
          - test: { allow-empty: true }
            if: ${{ parameters.parts == '' }}
          - pull-request: {}
            if: ${{ parameters.pull-request }}
          - package: { allow-empty: true, sign: true, parts: "${{ parameters.parts }}" }
            if: ${{ !parameters.pull-request }}
          - tag: {}
            if: ${{ !parameters.pull-request }}
        then:               # the branch and the tag are final; these steps can run again
          - publish: { to: github, push: true }
            if: ${{ parameters.publish }}
            retry: { times: 3, backoff: 2s, statuses: [1] }

        """
}
