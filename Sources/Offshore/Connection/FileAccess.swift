/// How a connection takes part in a file that other connections use.
protocol FileAccess: AnyObject {
  /// Called before each transaction.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if the file was deleted, moved or replaced.
  func willBegin() throws
  /// Called when a transaction has got the right to write.
  func didBeginWriting()
  /// Called before a commit.
  func willCommit(_ connection: Connection)
  /// Called after a commit, whether or not it succeeded.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if the commit was made to a file that was
  ///   deleted, moved or replaced.
  func didCommit(_ connection: Connection, isCommitted: Bool) throws
  /// Called before the connection closes.
  func willClose()
}
