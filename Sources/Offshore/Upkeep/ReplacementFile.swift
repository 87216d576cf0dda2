import Foundation

/// A new file that is written beside its target and replaces the target once it is complete.
///
/// Until then it is `<target>.partial`. A process that is killed leaves the target as it was, or
/// the whole file in its place; the next file for the same target overwrites the rest.
final class ReplacementFile {
  /// The path of the file until it is complete.
  let partialPath: String
  private let path: String
  private let replacesExisting: Bool
  private let descriptor: Int32
  private var isWhole = false

  /// Creates the empty file.
  ///
  /// - Parameters:
  ///   - path: The path of the target.
  ///   - replacesExisting: Whether to replace a file at that path.
  ///   - mode: The permissions of the file; by default, for its owner only.
  /// - Throws: ``DatabaseError``: `fileExists` if the target exists and must not be replaced,
  ///   `cannotOpen` if the folder does not accept a file, `busy` while another file is written for
  ///   the same target.
  init(_ path: String, replacesExisting: Bool, mode: mode_t = 0o600) throws {
    self.path = path
    self.replacesExisting = replacesExisting
    partialPath = path + ".partial"
    descriptor = try Self.open(partialPath)
    do {
      try requireWritablePath()
      guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, mode) == 0 else {
        throw Self.failure("created")
      }
    } catch {
      discard()
      throw error
    }
  }

  deinit {
    discard()
  }

  /// Appends bytes.
  /// - Throws: ``DatabaseError``: `diskFull`, `inputOutput`.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Foundation.write(descriptor, start, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("written") }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Moves the file to the path of the target. When this returns, the file and its name are
  /// durable.
  /// - Throws: ``DatabaseError``: `fileExists`, `diskFull`, `inputOutput`.
  func finish() throws {
    guard fsync(descriptor) == 0 else { throw Self.failure("written") }
    if replacesExisting {
      guard rename(partialPath, path) == 0 else { throw Self.failure("renamed") }
    } else {
      try moveWithoutReplacing()
    }
    isWhole = true
    close(descriptor)
    try Self.synchronizeFolder(of: path)
  }

  /// Moves the file by a second link, which fails if a target exists by now; a rename would replace
  /// it.
  private func moveWithoutReplacing() throws {
    guard link(partialPath, path) != 0 else {
      unlink(partialPath)
      return
    }
    if errno == EEXIST { throw Self.fileExists }
    // Some file systems do not support links.
    try requireWritablePath()
    guard rename(partialPath, path) == 0 else { throw Self.failure("renamed") }
  }

  private func requireWritablePath() throws {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseError(.cannotOpen, "The target is not a file. Choose another path.")
    }
    if !replacesExisting { throw Self.fileExists }
  }

  private func discard() {
    guard !isWhole else { return }
    isWhole = true
    unlink(partialPath)
    close(descriptor)
  }

  // MARK: - The system

  /// Opens and locks a partial file, either a new one or one that a killed process has left.
  private static func open(_ path: String) throws -> Int32 {
    while true {
      let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw errno == ENOSPC
          ? failure("created")
          : DatabaseError(
            .cannotOpen,
            "The file cannot be created. Check that its folder exists and is accessible.")
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw DatabaseError(
          .busy, "Another file for the same path is being written. Wait for its end.")
      }
      // Another writer may have finished between the two calls: its file has another name now.
      if isSame(descriptor, path) {
        guard hasSecondLink(descriptor) else { return descriptor }
        // A process was killed when its whole file had the target's name already: the file stays.
        if unlink(path) != 0, errno != ENOENT {
          defer { close(descriptor) }
          throw failure("created")
        }
      }
      close(descriptor)
    }
  }

  private static func hasSecondLink(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 1
  }

  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (own, found) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &found) == 0 && own.st_ino == found.st_ino
      && own.st_dev == found.st_dev
  }

  /// Makes a changed name durable.
  /// - Parameter path: The path of the file with the name.
  /// - Throws: ``DatabaseError``: `diskFull`, `inputOutput`.
  static func synchronizeFolder(of path: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    let descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("written") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("written") }
  }

  private static let fileExists = DatabaseError(
    .fileExists, "There is a file at this path already. Choose another, or replace it.")

  /// Returns the error of the last system call.
  private static func failure(_ verb: String) -> DatabaseError {
    let code = errno
    if code == ENOSPC || code == EDQUOT {
      return DatabaseError(
        .diskFull, "The disk is full, so the file was not \(verb). Free some space and try again.")
    }
    return DatabaseError(
      .inputOutput,
      "The file cannot be \(verb) (\(String(cString: strerror(code)))). Check the disk.")
  }
}
