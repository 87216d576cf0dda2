import Offshore
import OffshoreWire

/// A row of `_sent`: a batch that the server has applied and the device has pulled.
struct SentBatch {
  /// The position in the order of sending.
  private(set) var key: Int64?
  let scope: ScopeID
  let device: DeviceID
  let number: Int64
  /// The number of ops.
  let count: Int
  /// The time of the oldest change, in milliseconds since 1970 by the device's clock.
  let made: Int64
  /// The time at which the batch was pulled, in milliseconds since 1970 by the server's clock.
  let date: Int64
  /// About the number of bytes that the row needs in the file, or 0 if the content was deleted.
  let bytes: Int64
  /// Whether the server has applied the batch under this number.
  let isNumbered: Bool
  let parts: [Int]
  let batch: Batch
}

extension SentBatch: Record {
  static let table = Table(
    "_sent", SentBatch.init(key:scope:device:number:count:made:date:bytes:isNumbered:parts:batch:),
    Column("k", \.key).primaryKey(),
    Column("scope", \.scope, as: .scope),
    Column("device", \.device, as: .message),
    Column("number", \.number),
    Column("ops", \.count),
    Column("made", \.made),
    Column("at", \.date),
    Column("bytes", \.bytes),
    Column("numbered", \.isNumbered),
    Column("parts", \.parts, as: .partNumbers),
    Column("content", \.batch, as: .message)
  ).ofLibrary().index(\.scope, \.device, \.number, name: "_sent_scope")
    .index(\.date, \.bytes, name: "_sent_at")
}
