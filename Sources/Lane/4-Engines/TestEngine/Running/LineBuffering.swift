import OperatingSystem
import Text

/// A library that buffers the standard output of a test process by line. Without it, the C library buffers output to a
/// pipe, which a crash would lose, and `swift test` prints nothing while tests run.
///
/// The library removes itself from the environment, so that the tests and the programs that they start do not see it.
/// The package's toolchain compiles it once for each build directory.
struct LineBuffering: Sendable {
    /// The programs whose output is buffered by line.
    enum Scope {
        case nothing
        /// The program at a path. Programs that start it, such as `unshare`, keep the library for it.
        case program(String)
        /// A program and all that it starts.
        case everyProgram
    }

    private static let variable = "LANE_BUFFERED_PROGRAM"

    /// The path of the library, or `nil` on systems without one.
    private let library: String?

    /// Returns a Boolean value that indicates whether the dynamic linker accepts a path in `LD_PRELOAD`, a list that
    /// spaces and colons separate.
    static func canPreload(_ path: String) -> Bool {
        !path.utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
    }

    /// Compiles the library if necessary. Returns `nil` if that fails, if no directory has a path that can be preloaded,
    /// or if another library is preloaded: a sanitizer must be the first one.
    init?(of package: SwiftPackage, _ processes: any ProcessRunner, scratch: String) {
        #if os(Linux)
            guard !package.options.build.isSanitizing, package.environment["LD_PRELOAD"] == nil else { return nil }
            let name = "lane-buffering-\(String(StableHash(of: Self.source).value, radix: 16)).so"
            let places = [package.scratchDirectory, scratch].filter { isDirectory($0) && Self.canPreload($0) }
            guard let directory = places.first else { return nil }
            let known = "\(directory)/\(name)"
            if fileExists(known) {
                library = known
                return
            }
            let source = "\(scratch)/buffering.c"
            // Another run may do the same at the same time.
            let built = "\(directory)/\(name).\(lastPathComponent(scratch))"
            let clang = ((try? package.toolchainDirectory(processes)).map { "\($0)/clang" }) ?? "clang"
            let options = ["-shared", "-fPIC", "-O1", "-w", "-ffreestanding", "-nostdlib", "-fuse-ld=lld"]
            let command = Command(
                clang, options + ["-o", built, source], environment: package.environment, directory: scratch)
            guard (try? writeFile(Array(Self.source.utf8), to: source)) != nil,
                (try? processes.capture(command))?.report.succeeded == true
            else { return nil }
            library = (try? moveFile(built, to: known)) != nil ? known : built
        #else
            library = nil
        #endif
    }

    /// Adds the library to the environment of a process.
    func begin(_ scope: Scope, _ environment: inout [String: String]) {
        if case .nothing = scope { return }
        guard let library else {
            environment["NSUnbufferedIO"] = "YES"
            return
        }
        environment["LD_PRELOAD"] = library
        if case .program(let path) = scope { environment[Self.variable] = resolvedPath(path) ?? path }
    }

    /// The source code, which needs no headers.
    private static let source = """
        extern void *stdout;
        char *getenv(const char *);
        long readlink(const char *, char *, unsigned long);
        int setvbuf(void *, char *, int, unsigned long);
        int strcmp(const char *, const char *);
        int unsetenv(const char *);

        __attribute__((constructor)) static void begin(void) {
            const char *program = getenv("\(variable)");
            if (program) {
                char path[4097];
                long length = readlink("/proc/self/exe", path, 4096);
                path[length < 0 ? 0 : length] = 0;
                if (strcmp(path, program)) return;
                unsetenv("LD_PRELOAD");
                unsetenv("\(variable)");
            }
            setvbuf(stdout, 0, 1, 0);
        }

        """
}
