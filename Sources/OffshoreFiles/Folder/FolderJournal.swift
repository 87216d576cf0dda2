import Foundation

/// The journal of a change of several files, by which the change takes effect whole or not at all.
///
/// The new files are written beside the old ones. The change takes effect with the journal, which
/// lists them; after that, they are renamed, and the journal is deleted. If the process ends in
/// between, the next one to use the folder renames the rest.
///
/// NB: The names of new files are unique. After a power failure, the journal of a completed change
/// may exist again; its files do not, so it does nothing.
struct FolderJournal: Codable {
  /// A complete file and the name that it gets.
  struct Entry: Codable {
    let file: String
    let target: String
  }

  let entries: [Entry]

  /// The beginning of the names of this library's own files.
  static let prefix = ".offshore-"
  static let lockName = prefix + "lock"
  static let name = prefix + "journal"
  private static let newName = prefix + "journal-new"
  private static let sizeLimit = 1 << 20

  /// Whether a file with such a name is the rest of a change that was not completed.
  static func isRest(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name != lockName && name != self.name
  }

  /// Stores the journal durably, by which the change takes effect.
  /// - Throws: `SystemError`, or ``FileError`` with the code `tooLarge` if it could not be read
  ///   again. There is no journal then.
  func store(in folder: String, _ operations: FileOperations) throws {
    let path = folder + "/" + Self.name
    let data = try JSONEncoder().encode(self)
    guard data.count <= Self.sizeLimit else {
      throw FileError(
        .tooLarge,
        "A change of \(entries.count) documents is too large, so nothing was stored. Change fewer "
          + "documents together.",
        path: folder)
    }
    try operations.write(data, to: folder + "/" + Self.newName, mode: 0o600, isDurable: true)
    do {
      try operations.rename(folder + "/" + Self.newName, to: path)
      try operations.synchronizeFolder(folder)
    } catch {
      unlink(folder + "/" + Self.newName)
      unlink(path)
      throw error
    }
  }

  /// Renames the files and deletes the journal.
  /// - Throws: `SystemError`. The journal still exists then, and this can be called again.
  func apply(in folder: String, _ operations: FileOperations) throws(SystemError) {
    for entry in entries {
      let file = folder + "/" + entry.file
      guard operations.mode(of: file) != nil else { continue }
      try operations.rename(file, to: folder + "/" + entry.target)
    }
    try operations.synchronizeFolder(folder)
    try operations.remove(folder + "/" + Self.name)
  }

  /// Reads the journal of a folder; `nil` if there is none.
  /// - Throws: ``FileError`` with the code `corrupted` if it cannot be read.
  static func read(in folder: String, _ operations: FileOperations) throws -> FolderJournal? {
    let path = folder + "/" + name
    do throws(SystemError) {
      guard let data = try operations.read(path, limit: sizeLimit) else { return nil }
      let journal = try? JSONDecoder().decode(FolderJournal.self, from: data)
      if let journal, journal.entries.allSatisfy(\.isPlain) { return journal }
    } catch {
      throw FileError(error, path)
    }
    throw FileError(
      .corrupted,
      "“\(name)”, which lists the files of an interrupted change, is damaged. Delete it to go on with "
        + "the files as they are.",
      path: path)
  }
}

extension FolderJournal.Entry {
  /// Whether both are names of files in the folder.
  fileprivate var isPlain: Bool {
    [file, target].allSatisfy { !$0.isEmpty && !$0.contains("/") && $0 != "." && $0 != ".." }
  }
}
