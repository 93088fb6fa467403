import Archives
import Files
import LaneRun

/// Compares files with the sums that somebody wrote for them.
struct ChecksumCheck {
    let root: String

    /// The files of sums among some files, and those that lie beside one of them.
    func sums(among files: [String]) -> [String] {
        let beside = files.map { $0 + ChecksumFile.suffix }.filter { fileExists("\(root)/\($0)") }
        return Set(files.filter(ChecksumFile.isSums) + beside).sorted()
    }

    /// Every file must have a sum, and every sum its file; tells all that is wrong in one list.
    func check(_ files: [String], against sums: [String]) throws(StepFailure) {
        var problems: [String] = []
        var known: Set<String> = []
        for path in sums {
            let text: String
            do throws(FileError) {
                text = try readText("\(root)/\(path)")
            } catch {
                problems.append(error.isMissing ? "\(path): there is no such file" : error.description)
                continue
            }
            guard let content = ChecksumFile(reading: text) else {
                problems.append("\(path): expected lines as 'sha256sum' writes them")
                continue
            }
            for entry in content.entries {
                let folder = parentDirectory(path)
                let file = folder == "." ? entry.name : "\(folder)/\(entry.name)"
                known.insert(file)
                if let problem = problem(with: file, entry) { problems.append(problem) }
            }
        }
        problems += files.filter { !known.contains($0) }.map { "\($0): has no sum" }
        guard problems.isEmpty else { throw .refused(problems) }
    }

    private func problem(with file: String, _ entry: ChecksumFile.Entry) -> String? {
        guard fileExists("\(root)/\(file)") else { return "\(file): there is no such file, only its sum" }
        do throws(ArchiveError) {
            let found = try SHA256.digest(ofFile: "\(root)/\(file)").description
            return found == entry.sum ? nil : "\(file): expected the sum \(entry.sum), found \(found)"
        } catch {
            return StepFailure(error).message
        }
    }
}
