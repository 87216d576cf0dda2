import CSQLite
import Foundation

/// A file that is opened for reading only, with the files that SQLite has beside it.
///
/// Connections that share a write-ahead log need its index, the file `-shm`. While it exists,
/// another connection may write, and SQLite opens the file as usual, and so it does while there is
/// a rollback journal. If there is neither, no connection has the file open, and SQLite would
/// create the index, so the file is opened without locks and without an index on disk: with a log,
/// the index is in memory; without one, the file counts as immutable. A change that another process
/// makes then is noticed by ``isUnchanged`` at the begin and the end of each read.
struct UntouchedFile {
  private struct State: Equatable {
    let database: FileStamp?
    let log: FileStamp?
    let hasIndex: Bool
    let hasJournal: Bool

    init(_ path: String) {
      database = FileStamp(path)
      log = FileStamp(path + "-wal")
      // An index without a log is left over, and SQLite would create the log.
      hasIndex = log != nil && access(path + "-shm", F_OK) == 0
      hasJournal = access(path + "-journal", F_OK) == 0
    }
  }

  private let path: String
  private let state: State
  private let keepsIndex: Bool

  /// Records the state of a file.
  /// - Parameter keepsIndex: Whether the index of the log stays unchanged, too.
  /// - Throws: ``DatabaseError`` with code `cannotOpen` if it does not exist.
  init(_ path: String, keepsIndex: Bool = false) throws {
    self.path = path
    self.keepsIndex = keepsIndex
    state = State(path)
    guard state.database != nil else {
      throw DatabaseError(
        .cannotOpen,
        "There is no file to read. Check the path, or open it for writing to create it.")
    }
  }

  /// Whether locks separate reads from the changes of other connections.
  var isShared: Bool { state.hasIndex || state.hasJournal }

  /// Whether commits of others are visible in the write-ahead log. A file with a rollback journal
  /// has none.
  var hasSharedLog: Bool { state.hasIndex && FileStamp(path + "-wal") != nil }

  private var hasLog: Bool { state.log.map { $0.size > 0 } ?? false }

  /// Whether the file has not changed, or locks separate its changes from reads.
  var isUnchanged: Bool { isShared || State(path) == state }

  /// The parameter with which SQLite opens the file (<https://sqlite.org/uri.html>).
  private var parameter: String? {
    if isShared { return keepsIndex ? "readonly_shm" : nil }
    return hasLog ? nil : "immutable"
  }

  /// Opens the file.
  func open() throws -> OpaquePointer {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let isUnlocked = !isShared && hasLog && sqlite3_vfs_find("unix-none") != nil
    let code =
      if let parameter {
        sqlite3_open_v2(
          URL(filePath: path).absoluteString + "?\(parameter)=1", &handle, flags | SQLITE_OPEN_URI,
          nil)
      } else {
        sqlite3_open_v2(path, &handle, flags, isUnlocked ? "unix-none" : nil)
      }
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw DatabaseError.sqlite(code, handle)
    }
    // The last connection to close would move the log into the file, and delete the log.
    _ = offshore_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    // In this mode, the index of the log is in memory (https://sqlite.org/wal.html#noshm).
    if isUnlocked {
      sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
    }
    return handle
  }

  /// The error for a read of a file that another process has changed.
  static let changed = DatabaseError(
    .busy,
    "Another process has changed the file, which is open read-only. Repeat the read; open a "
      + "connection again.")

  /// The error for an attempt to change the file.
  static let notWritable = DatabaseError(
    .readOnly, "The file is open read-only. Open it without isReadOnly to change it.")

  /// Replaces SQLite's error for a statement that writes, or for a file that has to be written
  /// before it can be read.
  static func refusal(of error: DatabaseError) -> DatabaseError {
    let needsRecovery = [
      SQLITE_READONLY | (1 << 8), SQLITE_READONLY | (3 << 8),
    ].contains(error.resultCode)
    var refusal = notWritable
    if needsRecovery {
      refusal.message =
        "A write to the file was interrupted, and SQLite has to undo it. Open it once without "
        + "isReadOnly."
    }
    refusal.resultCode = error.resultCode
    refusal.sql = error.sql
    return refusal
  }
}

/// The identity, size and modification time of a file.
struct FileStamp: Equatable {
  let size: Int
  private let device: UInt64
  private let number: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// Creates the stamp of the file at a path, or `nil` if the file does not exist.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int(status.st_size)
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    seconds = time.tv_sec
    nanoseconds = time.tv_nsec
  }
}

extension Connection {
  /// Whether commits of other connections to the file can be followed: it is written here, or it
  /// has a log that others write.
  var isFollowable: Bool { untouchedFile?.hasSharedLog ?? true }

  /// Whether another process has changed a file that is open for reading only.
  var isOutdated: Bool { untouchedFile.map { !$0.isUnchanged } ?? false }

  /// Checks that the file is open for writing.
  /// - Throws: ``DatabaseError`` with code `readOnly` if the file is open for reading only.
  func requireWritable() throws {
    guard untouchedFile == nil else { throw UntouchedFile.notWritable }
  }
}
