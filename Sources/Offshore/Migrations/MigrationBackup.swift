import Foundation

/// The copy of a file that is made before a migration changes it.
struct MigrationBackup {
  private let connection: Connection
  private let file: URL

  init(_ connection: Connection) {
    self.connection = connection
    file = URL(filePath: connection.path)
  }

  /// Copies the file as it is to the last commit, while the connection holds the right to write.
  ///
  /// - Returns: the names of the copies that were there before.
  /// - Throws: ``DatabaseError`` with the code of what went wrong; no half copy is left then.
  func make(before migration: String) throws -> [String] {
    let name = file.lastPathComponent + Self.prefix + migration.fileNamePart + Self.suffix
    let partial = sibling(name + ".partial")
    // Only who may write gets here, so what lies there is left from a process that was stopped.
    discard(partial)
    do {
      let earlier = try names().filter { $0 != name }
      try copy(to: partial)
      let backup = sibling(name)
      try? FileManager.default.removeItem(at: backup)
      try FileManager.default.moveItem(at: partial, to: backup)
      return earlier
    } catch {
      discard(partial)
      throw failure(migration, error)
    }
  }

  /// Removes copies by their names.
  func remove(_ names: [String]) {
    for name in names { try? FileManager.default.removeItem(at: sibling(name)) }
  }

  /// The names of all copies of the file.
  private func names() throws -> [String] {
    let folder = file.deletingLastPathComponent().path(percentEncoded: false)
    let start = file.lastPathComponent + Self.prefix
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix(start) && $0.hasSuffix(Self.suffix) }
  }

  /// Removes a copy that is not complete, and the journal that SQLite keeps while it copies: taken
  /// for that of a later copy, it would damage it.
  private func discard(_ partial: URL) {
    for suffix in ["", "-journal"] {
      try? FileManager.default.removeItem(at: sibling(partial.lastPathComponent + suffix))
    }
  }

  private static let prefix = ".before-"
  private static let suffix = ".backup"

  /// A second connection copies, because no connection can while its transaction is open
  /// (<https://sqlite.org/lang_vacuum.html>).
  private func copy(to target: URL) throws {
    try createEmpty(target)
    let reader = try Connection(connection.path, connection.configuration, creates: false)
    defer { reader.close() }
    if let opening = connection.opening { reader.follow(opening) }
    try reader.run("VACUUM INTO \(target.path(percentEncoded: false))")
    // VACUUM INTO leaves it to the system when the copy reaches the disk.
    let handle = try FileHandle(forUpdating: target)
    defer { try? handle.close() }
    try handle.synchronize()
  }

  /// Makes the file that `VACUUM INTO` fills, open to nobody whom the original is not open to.
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
    var error = DatabaseError(
      detail?.code ?? .inputOutput,
      "No backup could be made before migration “\(migration)”, so it was not begun and the file "
        + "is as it was. \(detail?.message ?? "Check the folder of the file.")")
    error.resultCode = detail?.resultCode ?? 0
    error.cause = cause
    return error
  }
}

extension String {
  /// The text as a part of a file's name: at most 64 letters, digits, dots, and dashes.
  fileprivate var fileNamePart: String {
    String(
      prefix(64).map { character in
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
          ? character : "_"
      })
  }
}
