/// The absolute path of the checkout that the tests were built from, without a trailing slash.
package let repositoryRoot = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
