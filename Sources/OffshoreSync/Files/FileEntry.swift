import Offshore

/// A row of `_file`: a file to which rows of a scope refer.
///
/// Triggers on the app's tables count the references; see ``FileTriggers``. The rest is the progress of
/// the ``FileLane``.
struct FileEntry: Hashable {
  /// The text of the scope. It may be one that the server would not accept.
  let scope: String
  /// The hash of the content, as 64 hexadecimal digits.
  let hash: String
  /// The number of rows that refer to the file.
  private(set) var references: Int64 = 0
  /// Whether a row of this device refers to the file, so that this device sends it.
  private(set) var isOwn = false
  /// The time at which the server has last confirmed that it has the file in this scope, in
  /// milliseconds since 1970; 0 if it has not, or may have lost it.
  private(set) var stored: Int64 = 0
  /// Whether the file is to be fetched.
  private(set) var isWanted = false
  /// The time since which no row refers to the file, in milliseconds since 1970, as far as it was
  /// noticed.
  private(set) var unused: Int64?
  /// The number of failed attempts to send or fetch it: of refusals, if the server does not accept it.
  private(set) var attempts: Int64 = 0
  /// The time of the next attempt, in milliseconds since 1970; ``FileQueue/never`` if it waits for the user.
  private(set) var due: Int64 = 0
  /// The reason why the server does not accept the file: a code of `ServerClient.Failure`.
  private(set) var problem: String?
  /// Whether no row that this app shows refers to the file, and it is still to be sent: only rows of a column
  /// that the app does not have any more, which devices of former releases show, or rows of a scope that the
  /// account is about to leave.
  private(set) var isOfFormerRelease = false
  /// Whether the server has accepted a row with the file in this scope. Before, nothing of the file is sent;
  /// see ``FileAcceptance``.
  private(set) var isAccepted = false
}

extension FileEntry: Record {
  static let table = Table(
    "_file", FileEntry.init,
    Column("scope", \.scope).primaryKey(),
    Column("hash", \.hash).primaryKey(),
    Column("refs", \.references).default(0),
    Column("own", \.isOwn).default(false),
    Column("stored", \.stored).default(0),
    Column("wanted", \.isWanted).default(false),
    Column("unused", \.unused),
    Column("attempts", \.attempts).default(0),
    Column("due", \.due).default(0),
    Column("problem", \.problem),
    Column("former", \.isOfFormerRelease).default(false),
    Column("accepted", \.isAccepted).default(false)
  ).ofLibrary()

  /// Whether the server has the file in this scope, as far as is known.
  var isStored: Bool { stored > 0 }

  /// The condition of files to send, for the index on them.
  static let isToSend: SQL =
    "own = 1 AND stored = 0 AND accepted = 1 AND (refs > 0 OR former = 1)"
  /// The condition of files that are sent after the server has accepted a row with them, for the index on
  /// them.
  static let isAwaitingRow: SQL = "own = 1 AND stored = 0 AND accepted = 0"
  /// The condition of files to fetch, for the index on them.
  static let isToFetch: SQL = "wanted = 1 AND refs > 0"
  /// The condition of files without a reference, for the index on them.
  static let isUnused: SQL = "refs <= 0"

  /// Creates the table in a file that lacks it, and what a file of a former version lacks.
  /// - Returns: whether the table is one of a former version, which has not recorded acceptance.
  static func createIfAbsent(_ writer: Writer) throws -> Bool {
    let columns = try SQL("SELECT name FROM pragma_table_info(\(table.name))")
      .all(writer, as: String.self)
    if columns.isEmpty {
      try writer.create(table)
    } else {
      for column in ["former", "accepted"] where !columns.contains(column) {
        try SQL("ALTER TABLE _file ADD COLUMN \(identifier: column) INTEGER NOT NULL DEFAULT 0")
          .run(writer)
        try SQL("DROP INDEX IF EXISTS _file_sent").run(writer)
      }
    }
    for (name, columns, condition) in [
      ("_file_sent", "due", isToSend), ("_file_fetched", "due", isToFetch),
      ("_file_unused", "unused", isUnused), ("_file_awaiting", "scope", isAwaitingRow),
    ] {
      try SQL(
        "CREATE INDEX IF NOT EXISTS \(identifier: name) ON _file (\(SQL(raw: columns))) WHERE \(condition)"
      ).run(writer)
    }
    try SQL("CREATE INDEX IF NOT EXISTS _file_hash ON _file (hash)").run(writer)
    return !columns.isEmpty && !columns.contains("accepted")
  }
}
