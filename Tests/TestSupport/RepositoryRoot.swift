/// The checkout that the tests were built from: an absolute path, without a slash at its end.
package let repositoryRoot = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
