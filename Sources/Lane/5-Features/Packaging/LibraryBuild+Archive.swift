import Archives
import OperatingSystem
import SwiftPackages

extension LibraryBuild {
    /// Creates `libName.a` from the objects of the product and of its dependencies.
    func archive(
        _ product: PackageDescription.Product, _ targets: [PackageDescription.Target], _ products: String
    ) throws(OperationFailure) -> ArchiveEntry {
        var modules = targets.map(\.moduleName)
        modules += try foreignNames(targets, products)
        var objects: [String] = []
        for module in modules.sorted() where isDirectory("\(products)/\(module).build") {
            objects += try joined(try objectFiles(in: "\(module).build", below: products), of: module, in: products)
        }
        let library = "lib\(product.name).a"
        try convertingFileErrors { () throws(FileError) in try removeTree("\(products)/\(library)") }
        if toolchain.isLinux {
            // `q` keeps objects of the same name from different modules, and `D` omits times and owners.
            try tools.run(own("llvm-ar", else: "ar"), ["qcsD", library] + objects, in: products)
        } else {
            try tools.run("libtool", ["-static", "-D", "-o", library] + objects, in: products)
        }
        return ArchiveEntry("lib/\(library)", .file("\(products)/\(library)", isExecutable: false))
    }

    /// Links all objects of a Swift module into one object.
    ///
    /// A linker uses only referenced objects of an archive. A file that declares only conformances is never referenced,
    /// so casts would fail at run time.
    private func joined(
        _ objects: [String], of module: String, in products: String
    ) throws(OperationFailure) -> [String] {
        let swift = objects.filter { $0.hasSuffix(".swift.o") }
        guard toolchain.isLinux, swift.count > 1 else { return objects }
        let whole = "\(module).build/\(module).o"
        try tools.run(own("ld.lld", else: "ld"), ["-r", "-o", whole] + swift, in: products)
        return [whole] + objects.filter { !$0.hasSuffix(".swift.o") && $0 != whole }
    }

    private func own(_ tool: String, else other: String) -> String {
        let path = "\(toolchain.binaries)/\(tool)"
        return fileExists(path) ? path : other
    }

    private func objectFiles(in directory: String, below products: String) throws(OperationFailure) -> [String] {
        var objects: [String] = []
        for name in try convertingFileErrors({ () throws(FileError) in try listDirectory("\(products)/\(directory)") })
        {
            let path = "\(directory)/\(name)"
            if isDirectory("\(products)/\(path)") {
                objects += try objectFiles(in: path, below: products)
            } else if name.hasSuffix(".o") {
                objects.append(path)
            }
        }
        return objects
    }
}
