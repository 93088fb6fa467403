import CLibrary
import OperatingSystem
import Text

extension World {
    /// The value of `PATH` for commands of lane files. It ends with the directory of this program if it contains no `lane`,
    /// as in a generated CI job, so that commands can run lanes of other packages.
    var commandPath: String? {
        guard let path = environment["PATH"], self.path(of: "lane") == nil, let program = Self.program,
            lastPathComponent(program) == "lane"
        else { return environment["PATH"] }
        return "\(path):\(parentDirectory(program))"
    }

    /// The path of this program.
    private static var program: String? {
        #if canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            var size = UInt32(buffer.count)
            guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
            return resolvedPath(String(cString: buffer))
        #else
            return resolvedPath("/proc/self/exe")
        #endif
    }
}
