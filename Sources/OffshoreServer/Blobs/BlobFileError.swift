import Foundation

/// A failed file operation, described for logs.
struct BlobFileError: Error, CustomStringConvertible {
  /// The name of the operation, for example `write`.
  let operation: String
  /// The system's error number, for example `ENOSPC`.
  let code: Int32

  /// Creates an error with the number in `errno`.
  init(_ operation: String) {
    self.operation = operation
    code = errno
  }

  /// Whether a retry may succeed.
  var isPassing: Bool { [ENOSPC, EDQUOT, EMFILE, ENFILE].contains(code) }

  /// The operation and the reason, without the path of the file.
  var description: String {
    "blob file: \(operation): \(String(cString: strerror(code))) (\(code))"
  }
}
