extension DatabaseError {
  /// A kind of failure. Further kinds may be added, so a `switch` over codes needs a default.
  ///
  /// | code | failure |
  /// | --- | --- |
  /// | `.cannotOpen` | The file or its folder is missing or not accessible. |
  /// | `.notADatabase` | The file is not an SQLite database. |
  /// | `.corrupted` | The file is damaged. |
  /// | `.readOnly` | The file, its folder, or the transaction does not allow writing. |
  /// | `.diskFull` | The disk is full. |
  /// | `.inputOutput` | The system could not read or write the file. |
  /// | `.busy` | Another connection held a lock for longer than the busy timeout. |
  /// | `.interrupted` | A statement was interrupted because its task was cancelled. Only the closure receives this code; the call throws `CancellationError`. |
  /// | `.constraint` | A constraint refused the change; see ``DatabaseError/violation``. |
  /// | `.danglingReference` | At the end of a write or migration, a row refers to one that does not exist. |
  /// | `.invalidSQL` | SQLite cannot compile the statement. |
  /// | `.invalidValue` | A stored value does not fit its column, or a value cannot be stored in it. |
  /// | `.notFound` | The row does not exist. |
  /// | `.unknownColumn` | A property is not declared as a column. |
  /// | `.declaration` | A table's declaration contradicts itself or its row type. |
  /// | `.transaction` | A call is not allowed in the current state of a transaction, or SQLite has rolled back the whole transaction. |
  /// | `.migrationFailed` | A migration failed and was undone. |
  /// | `.newerVersion` | The file was written by a newer version of the app. |
  /// | `.closed` | The database has been closed. |
  /// | `.fileRemoved` | The file was deleted, moved or replaced while it was open. |
  /// | `.fileExists` | A file already exists at the path of a new one, or a path is that of a database in use. |
  /// | `.other` | Another failure, which the message describes. |
  ///
  /// A reference to a row that does not exist has one of two codes. By default, SQLite checks the
  /// references at the end of each statement, which then throws `constraint`. If the check is
  /// deferred, by `isDeferred` of ``Column/references(_:column:onDelete:onUpdate:isDeferred:)`` or
  /// by ``RemovedRows/restore(_:)``, the write throws `danglingReference` after its closure has
  /// ended. Both have the ``DatabaseError/violation`` `.foreignKey`.
  ///
  /// The code `transaction` has these reasons:
  ///
  /// - A ``Reader`` or ``Writer`` is used after the end of its closure.
  /// - SQL in a closure begins or ends a transaction or a savepoint, attaches another file, or sets
  ///   a pragma that has to be set outside of transactions.
  /// - The closure of a ``Connection`` begins another read, write or migration on it.
  /// - SQLite has rolled back the whole transaction during a write, for example because the disk is
  ///   full. That write throws its own error, and the others that shared the transaction throw this
  ///   one.
  ///
  /// The `description` of a code is its name, stable across releases.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case cannotOpen, notADatabase, corrupted, readOnly, diskFull, inputOutput, busy, interrupted
      case constraint, invalidSQL, invalidValue, notFound, unknownColumn, declaration
      case transaction, danglingReference, migrationFailed, newerVersion, closed
      case fileExists, fileRemoved, other
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }
  }
}

@_documentation(visibility: internal)
extension DatabaseError.Code {
  /// The file or its folder is missing or not accessible.
  public static let cannotOpen = Self(.cannotOpen)
  /// The file is not an SQLite database.
  public static let notADatabase = Self(.notADatabase)
  /// The file is damaged.
  public static let corrupted = Self(.corrupted)
  /// The file, its folder, or the transaction does not allow writing.
  public static let readOnly = Self(.readOnly)
  /// The disk is full.
  public static let diskFull = Self(.diskFull)
  /// The system could not read or write the file.
  public static let inputOutput = Self(.inputOutput)
  /// Another connection held a lock for longer than the busy timeout.
  public static let busy = Self(.busy)
  /// A statement was interrupted because its task was cancelled. Only the closure receives this
  /// code; the call throws `CancellationError`.
  public static let interrupted = Self(.interrupted)
  /// A constraint refused the change.
  public static let constraint = Self(.constraint)
  /// SQLite cannot compile the statement.
  public static let invalidSQL = Self(.invalidSQL)
  /// A stored value does not fit its column, or a value cannot be stored in it.
  public static let invalidValue = Self(.invalidValue)
  /// The row does not exist.
  public static let notFound = Self(.notFound)
  /// A property is not declared as a column.
  public static let unknownColumn = Self(.unknownColumn)
  /// A table's declaration contradicts itself or its row type.
  public static let declaration = Self(.declaration)
  /// A call is not allowed in the current state of a transaction, or SQLite has rolled back the
  /// whole transaction.
  public static let transaction = Self(.transaction)
  /// At the end of a write or migration, a row refers to one that does not exist.
  public static let danglingReference = Self(.danglingReference)
  /// A migration failed and was undone.
  public static let migrationFailed = Self(.migrationFailed)
  /// The file was written by a newer version of the app.
  public static let newerVersion = Self(.newerVersion)
  /// The database has been closed.
  public static let closed = Self(.closed)
  /// The file was deleted, moved or replaced while it was open.
  public static let fileRemoved = Self(.fileRemoved)
  /// A file already exists at the path of a new one.
  public static let fileExists = Self(.fileExists)
  /// Another failure, which the message describes.
  public static let other = Self(.other)

  /// The name of the kind, stable across releases.
  public var description: String { kind.rawValue }
}
