import CSQLite
import Foundation

/// The access of a database's writing connection to its file.
final class FileWriter: FileAccess {
  private let file: SharedFile
  private let member: Int
  private let checksPath: Bool
  private var number: UInt32 = 0
  private var pagesBefore: Int32 = 0

  /// Creates the access of a member of a file.
  /// - Parameters:
  ///   - member: The number of the membership, which ends with the connection.
  ///   - checksPath: Whether each commit checks the path of the file, which costs about 2 µs.
  init(_ file: SharedFile, _ member: Int, checksPath: Bool) {
    self.file = file
    self.member = member
    self.checksPath = checksPath
  }

  func willBegin() throws { try file.willBegin() }

  func didBeginWriting() { number = file.nextCommit() }

  func willCommit(_ connection: Connection) {
    pagesBefore = connection.writtenPages
    file.expectCommit(number)
  }

  func didCommit(_ connection: Connection, isCommitted: Bool) throws {
    let isWritten = isCommitted && connection.writtenPages != pagesBefore
    file.settleCommit(number, isWritten: isWritten)
    if isWritten, checksPath { try file.requireSamePath() }
  }

  func willClose() { file.leave(member) }
}

extension Connection {
  /// The number of pages that the connection has written to the log so far. A commit with changes
  /// writes at least one (<https://sqlite.org/c3ref/c_dbstatus_options.html>).
  fileprivate var writtenPages: Int32 {
    var (current, highest) = (Int32(0), Int32(0))
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
    return current
  }
}

extension String {
  /// The path without symbolic links. Only the folder must exist, not the file.
  var withoutLinks: String {
    if let path = resolved { return path }
    let url = URL(filePath: self)
    let folder = url.deletingLastPathComponent().path(percentEncoded: false).resolved ?? ""
    return (folder.hasSuffix("/") ? folder : folder + "/") + url.lastPathComponent
  }

  private var resolved: String? {
    guard let path = realpath(self, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}

/// A connection's access to a file that other connections use, too.
protocol FileAccess: AnyObject {
  /// Called before each transaction.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if the file was deleted, moved or
  ///   replaced.
  func willBegin() throws
  /// Called when a transaction has acquired the write lock.
  func didBeginWriting()
  /// Called before a commit.
  func willCommit(_ connection: Connection)
  /// Called after a commit, whether it succeeded or failed.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if the commit was made to a file that
  ///   was deleted, moved or replaced.
  func didCommit(_ connection: Connection, isCommitted: Bool) throws
  /// Called before the connection closes.
  func willClose()
}
