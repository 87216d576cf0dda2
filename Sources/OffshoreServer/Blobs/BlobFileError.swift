import Foundation

/// A file operation that failed, for logs.
struct BlobFileError: Error, CustomStringConvertible {
  /// What was to be done, as `write`.
  let operation: String
  /// The system's number of the reason, as `ENOSPC`.
  let code: Int32

  /// Takes the reason from `errno`.
  init(_ operation: String) {
    self.operation = operation
    code = errno
  }

  /// Whether it may be over when it is tried again.
  var isPassing: Bool { [ENOSPC, EDQUOT, EMFILE, ENFILE].contains(code) }

  /// The operation and the reason, without the name of the file.
  var description: String {
    "blob file: \(operation): \(String(cString: strerror(code))) (\(code))"
  }
}
