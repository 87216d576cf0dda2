import Foundation

/// The numbers by which the system knows a file, whatever its names are.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Looks a file up by its path.
  /// - Returns: `nil` if there is no such file, or it cannot be reached.
  ///
  /// NB: It does not open the file. To close it again would release the locks that SQLite holds on it
  /// in this process (<https://sqlite.org/howtocorrupt.html#posix_close_bug>).
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
