package import Events
import Text

/// Failures and warnings as SARIF 2.1.0, for code scanning services and editors. The file is written at the end of the
/// run.
///
/// Source of the format: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
package final class SARIFReport: EventReceiver {
    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    private let root: String
    private let write: Sink

    /// - Parameter root: The path of the package in the repository, either empty or with a trailing `/`.
    package init(root: String = "", write: @escaping Sink) {
        self.root = root
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded(let end) = event.kind else { return }
        let annotations = Annotation.all(of: run)
        let bytes = JSONWriter.documentBytes { writer in
            writer.member("$schema", Self.schema)
            writer.member("version", "2.1.0")
            writer.array("runs") { writer in
                writer.object { writer in
                    Self.write(Set(annotations.map(\.rule)), to: &writer)
                    writer.object("automationDetails") { $0.member("id", "\(run.lane)/") }
                    writer.array("invocations") { writer in
                        writer.object { writer in
                            writer.member("executionSuccessful", end.status == 0)
                            writer.member("exitCode", Int(end.status))
                        }
                    }
                    writer.array("results") { writer in
                        for annotation in annotations { write(annotation, to: &writer) }
                    }
                }
            }
        }
        write(bytes)
    }

    private static func write(_ rules: Set<Annotation.Rule>, to writer: inout JSONWriter) {
        writer.object("tool") { writer in
            writer.object("driver") { writer in
                writer.member("name", "lane")
                writer.array("rules") { writer in
                    for rule in Annotation.Rule.allCases where rules.contains(rule) {
                        writer.object { writer in
                            writer.member("id", rule.rawValue)
                            writer.object("shortDescription") { $0.member("text", rule.summary) }
                        }
                    }
                }
            }
        }
    }

    private func write(_ annotation: Annotation, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("ruleId", annotation.rule.rawValue)
            writer.member("level", annotation.isError ? "error" : "warning")
            writer.object("message") { $0.member("text", "\(annotation.title): \(annotation.text)") }
            if !annotation.attachments.isEmpty {
                writer.array("attachments") { writer in
                    for path in annotation.attachments {
                        writer.object { writer in
                            writer.object("artifactLocation") { $0.member("uri", Self.uri(of: path, below: root)) }
                        }
                    }
                }
            }
            guard let location = annotation.location else { return }
            writer.array("locations") { writer in
                writer.object { writer in
                    writer.object("physicalLocation") { writer in
                        writer.object("artifactLocation") { $0.member("uri", Self.uri(of: location.path, below: root)) }
                        // SARIF has no line 0, which compilers print for a file that cannot be opened.
                        guard location.line > 0 else { return }
                        writer.object("region") { writer in
                            writer.member("startLine", location.line)
                            if let column = location.column, column > 0 { writer.member("startColumn", column) }
                        }
                    }
                }
            }
        }
    }

    /// Returns a URI reference (RFC 3986) for a path. Code scanning services resolve it against the root of the
    /// repository.
    private static func uri(of path: String, below root: String) -> String {
        let path = path.hasPrefix("/") ? path : root + path
        let encoded = URLPath.encoded(path, allowing: "-._~/@+")
        return path.hasPrefix("/") ? "file://\(encoded)" : encoded
    }
}
