extension DatabaseError {
  /// A kind of failure. Further kinds may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case cannotOpen, notADatabase, corrupted, readOnly, diskFull, inputOutput, busy, interrupted
      case constraint, invalidSQL, invalidValue, notFound, unknownColumn, declaration
      case transaction, danglingReference, migrationFailed, newerVersion, closed
      case fileExists, fileRemoved, other
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// The file or its folder is missing or not accessible.
    public static let cannotOpen = Code(.cannotOpen)
    /// The file is not an SQLite database.
    public static let notADatabase = Code(.notADatabase)
    /// The file is damaged.
    public static let corrupted = Code(.corrupted)
    /// The file, its folder, or the transaction does not allow writing.
    public static let readOnly = Code(.readOnly)
    /// The disk is full.
    public static let diskFull = Code(.diskFull)
    /// The system could not read or write the file.
    public static let inputOutput = Code(.inputOutput)
    /// Another connection held a lock for longer than the busy timeout.
    public static let busy = Code(.busy)
    /// The read was interrupted.
    public static let interrupted = Code(.interrupted)
    /// A constraint refused the change.
    public static let constraint = Code(.constraint)
    /// SQLite cannot compile the statement.
    public static let invalidSQL = Code(.invalidSQL)
    /// A stored value does not fit its column, or a value cannot be stored in it.
    public static let invalidValue = Code(.invalidValue)
    /// The row does not exist.
    public static let notFound = Code(.notFound)
    /// A property is not declared as a column.
    public static let unknownColumn = Code(.unknownColumn)
    /// A table's declaration contradicts itself or its row type.
    public static let declaration = Code(.declaration)
    /// A call breaks the rules of transactions.
    public static let transaction = Code(.transaction)
    /// The change leaves a reference to a row that does not exist.
    public static let danglingReference = Code(.danglingReference)
    /// A migration failed and was undone.
    public static let migrationFailed = Code(.migrationFailed)
    /// The file was written by a newer version of the app.
    public static let newerVersion = Code(.newerVersion)
    /// The database has been closed.
    public static let closed = Code(.closed)
    /// The file was deleted, moved or replaced while it was open.
    public static let fileRemoved = Code(.fileRemoved)
    /// A file already exists at the path of a new one.
    public static let fileExists = Code(.fileExists)
    /// Another failure, which the message describes.
    public static let other = Code(.other)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }
}
