import CSQLite
import Foundation

/// The three files of an open database, as they were when it was opened.
///
/// SQLite continues to use a file that was deleted, and deletes neither the log nor the index of an
/// open database. So each path leads to the same file unless another program interferes.
struct DatabaseFiles: Sendable {
  /// The path of the database, from which SQLite derives the other two.
  let path: String
  /// The path without symbolic links.
  let name: String
  /// The path of the folder that contains the files.
  var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/" }
  /// The paths of the database, its write-ahead log, and the log's index.
  var paths: [String] { ["", "-wal", "-shm"].map { path + $0 } }

  private let identities: [FileIdentity]

  /// The identity of the database's own file.
  var identity: FileIdentity { identities[0] }

  /// Finds the files of a connection that has read its file.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if one of them was already deleted or
  ///   replaced.
  init(of connection: Connection) throws {
    path = sqlite3_db_filename(connection.handle, "main").map { String(cString: $0) } ?? ""
    name = path.withoutLinks
    identities = ["", "-wal", "-shm"].compactMap { [path] in FileIdentity(path + $0) }
    // Another file may be at the path since SQLite opened it.
    var hasMoved: Int32 = 0
    sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard identities.count == 3, hasMoved == 0 else { throw DatabaseError.fileRemoved }
  }

  /// Whether the path leads to the open database.
  var isInPlace: Bool { FileIdentity(path) == identity }

  /// Whether each path leads to the open file.
  var areAllInPlace: Bool { paths.map { FileIdentity($0) } == identities }
}

extension DatabaseError {
  /// The error of a database whose path leads to another file, or to no file.
  static let fileRemoved = DatabaseError(
    .fileRemoved,
    "The file, or the log beside it, was deleted, moved or replaced while the database was open. "
      + "Nothing more is read or stored. Close the database, restore the file, and open it again.")
}

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
