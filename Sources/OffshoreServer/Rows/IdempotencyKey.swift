import OffshoreHTTP
package import OffshoreWire

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
    for condition in request.headers.all("If-None-Match") { writer.text(condition) }
    return ContentHash(of: writer.bytes)
  }
}

/// A change that a client may send again, recorded under its idempotency key.
package struct IdempotencyRecord: Hashable, Sendable {
  /// The hash of the account and the key.
  package let key: ContentHash
  /// The hash of the request. A different request with the same key is an error.
  package let request: ContentHash
  /// The scope of the row that was changed.
  package let scope: ScopeID
  /// The row that was changed.
  package let row: RowID
  /// The time at which the record expires, in milliseconds since 1970.
  package let expires: Int64

  /// Creates a record.
  package init(
    key: ContentHash, request: ContentHash, scope: ScopeID, row: RowID, expires: Int64
  ) {
    self.key = key
    self.request = request
    self.scope = scope
    self.row = row
    self.expires = expires
  }
}
