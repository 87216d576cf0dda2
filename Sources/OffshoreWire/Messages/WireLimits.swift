/// The limits of messages, which are the same for client and server.
public enum WireLimits {
  /// The bytes of a body, after decompression.
  public static let bodyBytes = 8 << 20
  /// The ops of all batches of a push.
  public static let opsPerPush = 5_000
  /// The batches of a push.
  public static let batchesPerPush = 500
  /// The scopes of a pull, each once. It is also the number of scopes that a device can sync.
  public static let scopesPerPull = 1_000
  /// The bytes of one value. Larger content is sent separately, as a blob.
  public static let valueBytes = 1 << 20
  /// The bytes of an op, counted by ``RowState/byteCount``, so that any op fits into a body.
  public static let opBytes = 4 << 20
  /// The bytes of a row by ``RowState/byteCount``, so that any row fits into a body with the rest
  /// of the message. An edit that makes a row larger is refused.
  public static let rowBytes = 4 << 20
  /// The fields of an op.
  public static let fieldsPerOp = 4_000
  /// The bytes of a field's name.
  public static let fieldNameBytes = 512
  /// The bytes of a row's id.
  public static let idBytes = 200
  /// The largest generation in an op.
  public static let generation: Int64 = 1 << 48
  /// The largest number of changes, batches, conflicts and grants, and the largest generation of a
  /// row. It is never reached in practice, and can be incremented without overflow.
  public static let number: Int64 = 1 << 53
  /// The rows of a page of one scope.
  public static let rowsPerPage = 10_000
  /// The conflicts of a page of one scope.
  public static let conflictsPerPage = 500
  /// The values in all pages of a message, including missing ones.
  public static let cellsPerPage = 4_000_000
  /// The synced tables of an app.
  public static let tables = 1_000
  /// The columns of a synced table.
  public static let columns = 1_000
}
