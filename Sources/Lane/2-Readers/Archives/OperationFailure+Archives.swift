package import OperatingSystem
import Text

extension OperationFailure {
    /// Creates the failure of an archive operation.
    package init(_ error: ArchiveError) {
        self.init(status: ExitStatus.cannotWrite.rawValue, error.description)
    }
}

/// Runs an archive operation and converts its error.
package func convertingArchiveErrors<Result>(_ body: () throws(ArchiveError) -> Result) throws(OperationFailure)
    -> Result
{
    do throws(ArchiveError) { return try body() } catch { throw OperationFailure(error) }
}
