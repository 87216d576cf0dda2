/// How much a message may hold. Client and server keep to the same numbers.
public enum WireLimits {
  /// The bytes of a body, once uncompressed.
  public static let bodyBytes = 8 << 20
  /// The ops of all batches of a push.
  public static let opsPerPush = 5_000
  /// The batches of a push.
  public static let batchesPerPush = 500
  /// The scopes that a pull asks for, each once: as many as a device keeps in sync.
  public static let scopesPerPull = 1_000
  /// The bytes of one value. What is larger goes as a blob, in a lane of its own.
  public static let valueBytes = 1 << 20
  /// The bytes of an op, counted as ``RowState/byteCount`` does, so that any op fits into a body.
  public static let opBytes = 4 << 20
  /// The bytes of a row by ``RowState/byteCount``, so that any row fits into a body with what is told
  /// beside it. An edit that makes a row larger is refused.
  public static let rowBytes = 4 << 20
  /// The fields of an op.
  public static let fieldsPerOp = 4_000
  /// The bytes of a field's name.
  public static let fieldNameBytes = 512
  /// The bytes of a row's id.
  public static let idBytes = 200
  /// The largest generation of a row.
  public static let generation: Int64 = 1 << 48
  /// The largest number that is counted with: of changes, batches, conflicts and grants, and of lives as
  /// rows have them. Nothing comes near it, and there is room to count on.
  public static let number: Int64 = 1 << 53
  /// The rows of a page of one scope.
  public static let rowsPerPage = 10_000
  /// The conflicts of a page of one scope.
  public static let conflictsPerPage = 500
  /// The values of all pages of a message, those that are missing included.
  public static let cellsPerPage = 4_000_000
  /// The synced tables of an app.
  public static let tables = 1_000
  /// The columns of a synced table.
  public static let columns = 1_000
}
