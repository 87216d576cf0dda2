import Foundation

/// A copy of a file that is made before a migration changes the file.
struct MigrationBackup {
  private let connection: Connection
  private let file: URL
  private let synchronizeFolder: (_ path: String) throws -> Void

  /// - Parameter synchronizeFolder: Writes the name of a file in its folder to the disk.
  init(
    _ connection: Connection,
    synchronizeFolder: @escaping (_ path: String) throws -> Void = {
      try ReplacementFile.synchronizeFolder(of: $0)
    }
  ) {
    self.connection = connection
    self.synchronizeFolder = synchronizeFolder
    file = URL(filePath: connection.path)
  }

  /// Copies the last committed state of the file, while the connection holds the write lock. When
  /// this returns, the copy and its name are on the disk.
  ///
  /// - Returns: The names of the earlier copies.
  /// - Throws: ``DatabaseError`` with the code of the failure. No partial copy remains then.
  func make(before migration: String) throws -> [String] {
    let name = file.lastPathComponent + Self.prefix + migration.fileNamePart + Self.suffix
    let partial = sibling(name + Self.partialSuffix)
    // Only the holder of the write lock gets here, so an existing partial copy is from a stopped
    // process.
    discard(partial)
    do {
      let earlier = try names().filter { $0 != name }
      try copy(to: partial)
      let backup = sibling(name).path(percentEncoded: false)
      guard rename(partial.path(percentEncoded: false), backup) == 0 else {
        throw DatabaseError(
          .inputOutput,
          "The copy cannot be renamed (\(String(cString: strerror(errno)))). Check the disk.")
      }
      try synchronizeFolder(backup)
      return earlier
    } catch {
      discard(partial)
      throw failure(migration, error)
    }
  }

  /// Deletes copies by name.
  func remove(_ names: [String]) {
    for name in names { try? FileManager.default.removeItem(at: sibling(name)) }
  }

  /// Deletes all copies of the file, and those that a stopped process did not complete. When this
  /// returns, they are not on the disk any more.
  /// - Throws: ``DatabaseError`` with the code `inputOutput`.
  func removeAll() throws {
    do {
      let copies = try names(endingWith: ["", Self.partialSuffix, Self.partialSuffix + "-journal"])
      guard !copies.isEmpty else { return }
      for name in copies { try FileManager.default.removeItem(at: sibling(name)) }
      try synchronizeFolder(connection.path)
    } catch {
      throw DatabaseError(
        .inputOutput,
        "The backups beside the file cannot be deleted. Check the permissions of its folder.")
    }
  }

  /// Returns the names of all copies of the file, with something after the usual suffix.
  private func names(endingWith ends: [String] = [""]) throws -> [String] {
    let folder = file.deletingLastPathComponent().path(percentEncoded: false)
    let start = file.lastPathComponent + Self.prefix
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      name.hasPrefix(start) && ends.contains { name.hasSuffix(Self.suffix + $0) }
    }
  }

  /// Deletes a partial copy, and the journal that SQLite writes while it copies. SQLite would apply
  /// a remaining journal to a later copy, and damage it.
  private func discard(_ partial: URL) {
    for suffix in ["", "-journal"] {
      try? FileManager.default.removeItem(at: sibling(partial.lastPathComponent + suffix))
    }
  }

  private static let prefix = ".before-"
  private static let suffix = ".backup"
  private static let partialSuffix = ".partial"

  /// Copies by a second connection, because none can copy while its own transaction is open
  /// (<https://sqlite.org/lang_vacuum.html>).
  private func copy(to target: URL) throws {
    try createEmpty(target)
    let reader = try Connection(connection.path, connection.configuration, creates: false)
    defer { reader.close() }
    if let opening = connection.opening { reader.follow(opening) }
    try reader.run("VACUUM INTO \(target.path(percentEncoded: false))")
    // VACUUM INTO does not wait until the copy is on the disk.
    let handle = try FileHandle(forUpdating: target)
    defer { try? handle.close() }
    try handle.synchronize()
  }

  /// Creates the file that `VACUUM INTO` fills, with the permissions of the original.
  private func createEmpty(_ target: URL) throws {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: file.path(percentEncoded: false))
    let mode = attributes[.posixPermissions].map { [FileAttributeKey.posixPermissions: $0] }
    let isMade = FileManager.default.createFile(
      atPath: target.path(percentEncoded: false), contents: nil, attributes: mode)
    guard isMade else {
      throw DatabaseError(.cannotOpen, "The copy cannot be made. Check the folder of the file.")
    }
  }

  private func sibling(_ name: String) -> URL {
    file.deletingLastPathComponent().appending(path: name)
  }

  private func failure(_ migration: String, _ cause: any Error) -> DatabaseError {
    let detail = cause as? DatabaseError
    let remedy =
      detail?.code == .diskFull ? fullDisk : detail?.message ?? "Check the folder of the file."
    var error = DatabaseError(
      detail?.code ?? .inputOutput,
      "No backup could be made before migration “\(migration)”, so it was not begun and the file "
        + "is as it was. \(remedy)")
    error.resultCode = detail?.resultCode ?? 0
    error.cause = cause
    return error
  }

  /// The remedy for a full disk, with the space that a copy needs at most.
  private var fullDisk: String {
    let sizes = ["", "-wal"].map { suffix in
      let path = sibling(file.lastPathComponent + suffix).path(percentEncoded: false)
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? Int64) ?? 0
    }
    let megabytes = (sizes.reduce(0, +) + 999_999) / 1_000_000
    return """
      The disk is full. The backup needs up to \(megabytes) MB in the folder of the file: free that \
      much, and open the file again.
      """
  }
}

extension String {
  /// The text as a part of a file name: at most 64 letters, digits, dots, dashes and underscores.
  fileprivate var fileNamePart: String {
    String(
      prefix(64).map { character in
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
          ? character : "_"
      })
  }
}
