import OffshoreHTTP
import OffshoreWire

/// The key of a change that a client may send again
/// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>).
struct IdempotencyKey: Hashable, Sendable {
  /// The hash of the account and the key.
  let hash: ContentHash
  /// The hash of the request.
  let request: ContentHash

  /// The time for which a key is stored, in milliseconds.
  static let lifetime: Int64 = 86_400_000

  /// Parses the key of a request, or returns `nil` if it has none.
  /// - Throws: `ResourceError` with the code `malformed`.
  init?(_ request: Request, of account: AccountID) throws {
    guard let key = request.headers["Idempotency-Key"] else { return nil }
    guard 1...200 ~= key.utf8.count, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw ResourceError.malformed(
        "An Idempotency-Key has 1 to 200 visible ASCII characters.", field: "Idempotency-Key")
    }
    var writer = WireWriter()
    writer.value(account.uuid)
    writer.text(key)
    hash = ContentHash(of: writer.bytes)
    self.request = Self.hash(request)
  }

  private static func hash(_ request: Request) -> ContentHash {
    var writer = WireWriter(capacity: request.body.count + 1_000)
    writer.text(request.method.rawValue)
    writer.text(request.target)
    writer.text(request.headers.all("If-Match").joined(separator: ","))
    writer.block(request.body)
    return ContentHash(of: writer.bytes)
  }
}

extension RowWriting {
  /// Applies a change, unless one was applied under the same key. Then returns the current row.
  /// - Throws: the errors of `apply(_:if:to:)`; `ResourceError` with the code `keyReused` if
  ///   another request had the key.
  func apply(
    _ change: RowChange, once key: IdempotencyKey?, if preconditions: Preconditions,
    to log: inout some ChangeLogWriter & IdempotencyWriter
  ) throws -> (row: SyncedRow?, place: RowPlace) {
    guard let key else {
      return (try apply(change, if: preconditions, to: &log), change.place)
    }
    if let record = try log.idempotencyRecord(key.hash), now < record.expires {
      return try repeated(record, key, change, log)
    }
    let row = try apply(change, if: preconditions, to: &log)
    try log.removeIdempotencyRecords(at: now)
    try log.setIdempotencyRecord(
      IdempotencyRecord(
        key: key.hash, request: key.request, scope: change.place.scope,
        row: RowID(table: change.table.name, id: change.place.id),
        expires: now + IdempotencyKey.lifetime))
    return (row, change.place)
  }

  private func repeated(
    _ record: IdempotencyRecord, _ key: IdempotencyKey, _ change: RowChange,
    _ log: some ChangeLogReader
  ) throws -> (row: SyncedRow?, place: RowPlace) {
    guard record.request == key.request else {
      throw ResourceError(
        .unprocessableContent, "keyReused",
        "Another request had this Idempotency-Key. Make a new key for each change.")
    }
    let place = RowPlace(record.scope, record.row.id)
    if case .delete = change.kind { return (nil, place) }
    let reading = RowReading(table: change.table, account: account, log: log)
    return (try reading.row(place), place)
  }
}
