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
