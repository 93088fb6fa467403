import OperatingSystem
import TestSupport
import Testing

#if os(Linux)
    import Glibc

    /// A running nginx with WebDAV and TLS on this machine.
    final class NGINX {
        let address: String
        /// The file of its certificate, which it has signed itself.
        var certificate: String { "\(directory.path)/certificate" }
        /// The directory of its configuration. The files that it serves are in `files`.
        var path: String { directory.path }
        private let directory: TemporaryDirectory
        private let cancellation = Cancellation()
        private let server: Task<Void, Never>

        /// The path of the program, if it is installed.
        static var program: String? { ["/usr/sbin/nginx", "/usr/bin/nginx"].first(where: fileExists) }

        /// A Boolean value that indicates whether nginx and openssl are installed.
        static var isInstalled: Bool { program != nil && hasTool("openssl") }

        /// Returns `nil` if nginx is not installed or cannot start.
        init?() async throws {
            directory = try TemporaryDirectory()
            guard let program = Self.program else { return nil }
            for name in ["files", "uploads"] { try makeDirectories("\(directory.path)/\(name)") }
            let key = ["-newkey", "rsa:2048", "-nodes", "-keyout", "\(directory.path)/key"]
            _ = try await capture(
                Command(
                    "openssl",
                    ["req", "-x509", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out"]
                        + ["\(directory.path)/certificate"] + key, environment: plainEnvironment()))
            var port = 0
            var started: Task<Void, Never>?
            for _ in 0..<20 where started == nil {
                port = Int.random(in: 20_000..<30_000)
                try directory.write(Self.configuration(directory.path, port: port), to: "nginx.conf")
                let command = Command(
                    program, ["-p", directory.path, "-c", "\(directory.path)/nginx.conf"],
                    environment: plainEnvironment(), directory: directory.path)
                let limits = RunLimits(timeout: .seconds(600), cancellation: cancellation)
                let task = Task { _ = try? await capture(command, limits: limits) }
                for _ in 0..<100 where started == nil {
                    if fileExists("\(directory.path)/pid") { started = task }
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            guard let started else { return nil }
            server = started
            address = "https://localhost:\(port)"
        }

        func stop() async {
            cancellation.cancel()
            await server.value
        }

        private static func configuration(_ path: String, port: Int) -> String {
            """
            daemon off;
            pid \(path)/pid;
            error_log \(path)/errors;
            worker_processes 2;
            \(getuid() == 0 ? "user root;" : "")
            events {}
            http {
                access_log off;
                client_body_temp_path \(path)/uploads;
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(path)/certificate;
                    ssl_certificate_key \(path)/key;
                    root \(path)/files;
                    client_max_body_size 0;
                    location / {
                        dav_methods PUT DELETE MOVE;
                        create_full_put_path on;
                    }
                }
            }

            """
        }
    }
#endif
