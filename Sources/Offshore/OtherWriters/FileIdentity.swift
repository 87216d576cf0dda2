import Foundation

/// The numbers by which the system identifies a file, independent of its names.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Finds a file by its path; `nil` if it does not exist or is not accessible.
  ///
  /// NB: It does not open the file. Closing it again would release the locks that SQLite holds on
  /// it in this process (<https://sqlite.org/howtocorrupt.html#posix_close_bug>).
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
