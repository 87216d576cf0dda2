#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A lock of the system on a file, which one process has at a time.
///
/// It ends with the process, however that ends. Programs that the process has started do not have
/// it, because its descriptor is closed in them. The empty file stays, so that all processes lock
/// the same one.
///
/// NB: A lock by `flock` belongs to an open file. One by `fcntl` would end as soon as the process
/// closes any descriptor of the file, and would not exclude the process itself.
package struct FileLock: Sendable {
  /// The reason why a file cannot be locked.
  package enum Failure: Error, Equatable {
    /// A process has the lock, by its identifier; `nil` if that is not known.
    case held(by: Int32?)
    /// The file cannot be opened or locked, by the error number of the system.
    case system(Int32)
  }

  private let descriptor: Int32

  /// Locks a file, and creates it for its user only if it does not exist.
  ///
  /// - Parameters:
  ///   - path: the path of the file. A link there is not followed.
  ///   - model: the path of a file whose owner gets the new one if root creates it.
  /// - Throws: ``Failure``.
  package init(_ path: String, ownedAs model: String? = nil) throws(Failure) {
    guard let descriptor = try Self.lock(path, ownedAs: model) else {
      throw .held(by: Self.holder(of: path))
    }
    self.descriptor = descriptor
  }

  /// Locks a file, and waits while another process has the lock. It blocks the thread.
  ///
  /// NB: The lock is tried each millisecond. The system's own wait has no limit, and a stopped
  /// process may have the lock forever.
  /// - Parameters:
  ///   - path: the path of the file, which is created if it does not exist.
  ///   - milliseconds: the limit of the wait.
  /// - Throws: ``Failure``.
  package init(waitingFor path: String, atMost milliseconds: Int) throws(Failure) {
    var attempt = 0
    var found = try Self.lock(path, ownedAs: nil)
    while found == nil, attempt < milliseconds {
      usleep(1000)
      attempt += 1
      found = try Self.lock(path, ownedAs: nil)
    }
    guard let descriptor = found else { throw .held(by: Self.holder(of: path)) }
    self.descriptor = descriptor
  }

  /// Ends the lock. Call it once.
  package func release() {
    // NB: A process that is being started has the descriptor until its program begins.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Opens and locks a file.
  /// - Returns: the descriptor, or `nil` if another process has the lock.
  private static func lock(_ path: String, ownedAs model: String?) throws(Failure) -> Int32? {
    while true {
      let descriptor = open(path, ownedAs: model)
      guard descriptor >= 0 else { throw .system(errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        close(descriptor)
        guard code == EWOULDBLOCK else { throw .system(code) }
        return nil
      }
      // A lock of a deleted file excludes nothing: the next process creates another file.
      if isSame(descriptor, path) { return descriptor }
      close(descriptor)
    }
  }

  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (own, found) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &found) == 0 && own.st_ino == found.st_ino
      && own.st_dev == found.st_dev
  }

  /// Opens a file, and creates it if it does not exist.
  ///
  /// NB: Only a new file gets the owner of the model. An existing one could be a hard link to a file
  /// of root, made by that owner.
  /// - Returns: the descriptor, or -1 with the reason in `errno`.
  private static func open(_ path: String, ownedAs model: String?) -> Int32 {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    let created = openFile(path, flags | O_CREAT | O_EXCL, 0o600)
    guard created >= 0 else { return errno == EEXIST ? openFile(path, flags, 0) : created }
    var information = stat()
    if geteuid() == 0, let model, stat(model, &information) == 0 {
      _ = fchown(created, information.st_uid, information.st_gid)
    }
    return created
  }

  // MARK: - The process with the lock

  /// Returns the process with the lock on a file, if the system tells it.
  ///
  /// The file itself does not name it: root must not write to a file that others can replace.
  private static func holder(of path: String) -> Int32? {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    let node = "\(information.st_ino)"
    let holders = text(of: "/proc/locks").split(separator: "\n").compactMap { line -> Int32? in
      // NB: As in “3: FLOCK  ADVISORY  WRITE 4711 fe:00:16244746 0 EOF”. The numbers of the device
      // are not those of `stat` on all file systems.
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK",
        words[5].split(separator: ":").last.map({ $0 == node }) == true
      else { return nil }
      return Int32(words[4])
    }
    return holders.count == 1 ? holders[0] : nil
  }

  /// Returns the text of a file of the system, which is empty if it cannot be read.
  private static func text(of path: String) -> String {
    let file = openFile(path, O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16_384)
    while case let count = read(file, &part, part.count), count > 0 { text += part[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}

extension FileLock {
  /// Returns the words for a process with a lock, as “another process (4711)”.
  package static func name(of process: Int32?) -> String {
    process.map { "another process (\($0))" } ?? "another process"
  }
}

/// Opens a file by the function of the system, whose name the members of ``FileLock`` hide.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}
