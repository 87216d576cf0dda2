import Foundation
import OffshoreFileAccess

/// The lock of a server's file, which one process has at a time: its server, or a command that needs
/// the file for itself.
///
/// It is a lock on the file `FILE-lock` beside the data, so it ends with the process, however that ends.
/// The lock's file belongs to the owner of the data, also if root runs a command, so that the server can
/// lock it afterwards.
///
/// NB: Not on the data itself. When a process closes any descriptor of a file, it loses all locks that
/// SQLite has on it (<https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>).
struct DataLock: Sendable {
  private let lock: FileLock

  /// Locks a file for its server.
  /// - Throws: ``ToolError`` if another process has the lock, or if it cannot be created.
  init(serving path: String) throws(ToolError) {
    try self.init(path) {
      "“\(path)” is served by \($0). Stop that one, or name another file by --data."
    }
  }

  /// Locks an existing file for a command that cannot run beside a server.
  /// - Throws: ``ToolError`` if the file does not exist, if another process has the lock, or if it
  ///   cannot be created.
  init(existing path: String) throws(ToolError) {
    try DataFile.requireExisting(path)
    try self.init(path) { "“\(path)” is in use by \($0). Stop it first." }
  }

  /// - Parameter sentence: returns the sentences about the process that has the lock.
  private init(_ path: String, busy sentence: (String) -> String) throws(ToolError) {
    // A link and its target are one file.
    let data = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    do throws(FileLock.Failure) {
      lock = try FileLock(data + "-lock", ownedAs: data)
    } catch {
      switch error {
      case .held(let process): throw ToolError(sentence(FileLock.name(of: process)))
      case .system(let code):
        throw DataFile.failure(path, "\(String(cString: strerror(code))).")
      }
    }
  }

  /// Ends the lock. Call it once the data is closed.
  func release() { lock.release() }
}
