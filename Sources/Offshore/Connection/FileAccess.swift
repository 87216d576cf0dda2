/// How a connection takes part in a file that other connections use.
protocol FileAccess: AnyObject {
  /// Called before each transaction.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if the file is not where it was.
  func willBegin() throws
  /// Called when a transaction has got the right to write.
  func didBeginWriting()
  /// Called before a commit.
  func willCommit(_ connection: Connection)
  /// Called after a commit, whether or not it succeeded.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if the commit was made to a file that is not
  ///   where it was.
  func didCommit(_ connection: Connection, isCommitted: Bool) throws
  /// Called before the connection closes.
  func willClose()
}
