import ActionFixtures
import Actions
import Git
import OperatingSystem
import Release
import TestSupport

extension GitFixture {
    /// Begins a transaction. Its worktree has ignored files, as after a build and a step that uses a cache.
    func begin(_ processes: any ProcessRunner = ChildRunner()) throws -> any Transaction {
        let transaction = try beginUnbuilt(git(with: processes))
        try shell(
            "cd '\(transaction.directory)'; mkdir -p .build/debug .lane; echo made | tee .build/debug/out > .lane/out")
        return transaction
    }

    /// Begins a transaction without ignored files.
    func beginUnbuilt(_ git: Git? = nil) throws -> any Transaction {
        let git = git ?? self.git(with: ChildRunner())
        return try GitTransactionSource().begin(git, cleanup: git)
    }

    /// Returns git in the repository, or in another directory.
    func git(with processes: any ProcessRunner, in directory: String? = nil) -> Git {
        Git(in: directory ?? path, environment: environment, processes: processes)
    }

    func recover() throws -> String? { try GitTransactionSource().recover(git(with: ChildRunner()))?.text }

    /// A repository with one commit, whose next release changes, removes and adds a file.
    static func ready(_ name: String = "sample") throws -> GitFixture {
        let fixture = try GitFixture(name)
        try fixture.write("version 0.1.0\n", to: "version.txt")
        try fixture.write("gone soon\n", to: "old.txt")
        try fixture.writeBuildProducts()
        try fixture.write("stays\n", to: "deep/er/file.txt")
        try fixture.commit("Begin")
        return fixture
    }

    /// The operations of a release in the private worktree.
    func releaseSteps(in directory: String) throws {
        try shell(
            """
            cd '\(directory)'
            echo 'version 0.2.0' > version.txt
            git rm -q old.txt
            mkdir -p new; echo new > new/file.txt
            git add -A; git commit -q -m 'Release 0.2.0'
            mkdir -p dist; echo archive > dist/sample.tar.gz; echo sum > dist/sample.tar.gz.sha256
            """)
    }

    func planRelease(_ transaction: any Transaction) {
        transaction.plan(.tag(name: "0.2.0", message: "Release 0.2.0\n"))
        transaction.plan(.keep(relativePath: "dist/sample.tar.gz"))
        transaction.plan(.keep(relativePath: "dist/sample.tar.gz.sha256"))
    }
}
