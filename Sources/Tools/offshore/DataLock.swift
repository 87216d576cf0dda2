import Foundation

/// The lock of a server's file, which one process has at a time: its server, or a command that needs
/// the file for itself.
///
/// It is a lock of the system on the file `FILE-lock` beside the data, so it ends with the process,
/// however that ends. The empty file stays. It belongs to the owner of the data, also if root runs a
/// command, so that the server can lock it afterwards.
///
/// NB: Not on the data itself. When a process closes any descriptor of a file, it loses all locks that
/// SQLite has on it (<https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>).
struct DataLock: Sendable {
  private let descriptor: Int32

  /// Locks a file for its server.
  /// - Throws: ``ToolError`` if another process has the lock, or if it cannot be created.
  init(serving path: String) throws(ToolError) {
    try self.init(
      path,
      busy: "“\(path)” is served by another process. Stop that one, or name another file by --data."
    )
  }

  /// Locks an existing file for a command that cannot run beside a server.
  /// - Throws: ``ToolError`` if the file does not exist, if another process has the lock, or if it
  ///   cannot be created.
  init(existing path: String) throws(ToolError) {
    try DataFile.requireExisting(path)
    try self.init(path, busy: "A server is using “\(path)”. Stop it first.")
  }

  private init(_ path: String, busy: String) throws(ToolError) {
    // A link and its target are one file.
    let data = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    descriptor = Self.open(data + "-lock", besides: data)
    guard descriptor >= 0 else { throw DataFile.failure(path, ToolError.reason(errno)) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else { throw DataFile.failure(path, ToolError.reason(code)) }
      throw ToolError(busy)
    }
  }

  /// Opens the file of the lock, and creates it if it does not exist.
  ///
  /// NB: Only a new file gets the owner of the data. An existing one could be a hard link to a file
  /// of root, made by the user of the server.
  /// - Returns: the descriptor, or -1 with the reason in `errno`.
  private static func open(_ file: String, besides data: String) -> Int32 {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    let created = Foundation.open(file, flags | O_CREAT | O_EXCL, 0o600)
    guard created >= 0 else {
      return errno == EEXIST ? Foundation.open(file, flags) : created
    }
    var information = stat()
    if geteuid() == 0, stat(data, &information) == 0 {
      _ = fchown(created, information.st_uid, information.st_gid)
    }
    return created
  }

  /// Ends the lock. Call it once the data is closed.
  func release() { close(descriptor) }
}

extension ToolError {
  /// The system's message for an error number, as a sentence.
  fileprivate static func reason(_ code: Int32) -> String { "\(String(cString: strerror(code)))." }
}
