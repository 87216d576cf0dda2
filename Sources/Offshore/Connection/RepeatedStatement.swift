/// A statement that a connection finds by number instead of by its text, because it runs so often.
enum RepeatedStatement: Hashable {
  /// A statement that begins or ends a transaction or a savepoint.
  case control(TransactionControl)
  /// A statement that a table's declaration makes, by the number of that declaration.
  case table(Int, TableOperation)
}

/// The statements that control transactions.
enum TransactionControl: String {
  case begin = "BEGIN"
  case beginImmediate = "BEGIN IMMEDIATE"
  case commit = "COMMIT"
  case rollBack = "ROLLBACK"
  case savepoint = "SAVEPOINT offshore"
  case release = "RELEASE offshore"
  case rollBackToSavepoint = "ROLLBACK TO offshore"
}

/// The statements that every table has.
enum TableOperation {
  case find, findNumber, insert, insertIfAbsent, update, save
}
