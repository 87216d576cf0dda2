import Foundation
import Offshore
import OffshoreWire

/// A row of `_cursor`: the device's progress in one scope, and the account's role there.
struct ScopeCursor: Hashable {
  /// A fetch whose pages are not applied yet.
  struct Fetch: Hashable, WireCodable {
    /// The position at which the next page begins.
    var position: PullCursor.Position
    /// The epoch of the fetched data.
    var epoch: UInt64
    /// The ranges whose rows are removed unless they are fetched; all ranges for a snapshot.
    var replaced = RangeSet()
  }

  /// The steps that follow if the digest of the rows differs from the server's.
  enum Doubt: Int64 {
    /// The digests are equal.
    case none
    /// The digests of ranges are requested.
    case asking
    /// The ranges that differ are fetched again.
    case repairing
    /// All rows are fetched again.
    case replacing
    /// The digests still differ. The next change of the scope starts again with the digests of
    /// ranges.
    case lasting
  }

  let scope: ScopeID
  /// The device id under which batches are numbered.
  var device: DeviceID?
  /// The number of the last sealed batch.
  var sent: Int64 = 0
  /// The role of the account, or `nil` if it was never granted one.
  var role: Role?
  /// The epoch of the applied data, or 0 before the first pull.
  var epoch: UInt64 = 0
  /// The number of the last applied change.
  var seq: Int64 = 0
  /// The digest of the confirmed rows.
  var digest = Digest()
  /// The number of the last received conflict.
  var conflicts: Int64 = 0
  /// The fetch that is under way, or `nil` if the next page follows the applied data.
  var fetch: Fetch?
  /// The current one of these steps.
  var doubt = Doubt.none
  /// The number of times that rows were fetched again because digests differed.
  var repairs: Int64 = 0

  init(_ scope: ScopeID) { self.scope = scope }

  /// Whether the device shows the rows of the scope.
  var isShown: Bool { role != .revoked }

  /// The position at which the next page begins.
  var position: PullCursor.Position { fetch?.position ?? .changes(after: seq) }

  /// Starts to fetch all rows again, beside the applied ones.
  mutating func restart(epoch: UInt64) {
    if epoch != self.epoch { conflicts = 0 }
    fetch = Fetch(position: .snapshot(head: nil, after: nil), epoch: epoch, replaced: .all)
  }

  /// Starts to fetch the rows of some ranges again.
  mutating func repair(_ ranges: RangeSet) {
    fetch = Fetch(
      position: .repair(ranges: ranges, head: seq, after: nil), epoch: epoch, replaced: ranges)
  }

  /// Resets the progress of pulls, but not the numbers of batches.
  mutating func forget() {
    (epoch, seq, digest, fetch, doubt, conflicts) = (0, 0, Digest(), nil, .none, 0)
  }
}

// MARK: - Storing

extension ScopeCursor {
  private static let columns: SQL =
    "scope, device, sent, role, epoch, seq, digest, conflicts, fetch, doubt, repairs"

  /// Returns the cursors of all scopes that the device knows, in order.
  static func all(_ reader: Reader) throws -> [ScopeCursor] {
    try reader.connection.fetch("SELECT \(columns) FROM _cursor") { try ScopeCursor(&$0) }
      .sorted { $0.scope < $1.scope }
  }

  /// Returns the cursor of a scope, or a new one.
  static func of(_ scope: ScopeID, _ reader: Reader) throws -> ScopeCursor {
    try reader.connection.fetch(
      "SELECT \(columns) FROM _cursor WHERE scope = \(scope.text)", limit: 1
    ) { try ScopeCursor(&$0) }.first ?? ScopeCursor(scope)
  }

  private init(_ row: inout RowReader) throws {
    scope = try ScopeID(try row.value(String.self))
    device = try row.value(Data?.self).map { try DeviceID(decoding: Array($0)) }
    sent = try row.value(Int64.self)
    role = try row.value(Int64?.self).flatMap { Role(rawValue: UInt8(clamping: $0)) }
    epoch = UInt64(bitPattern: try row.value(Int64.self))
    seq = try row.value(Int64.self)
    digest = Digest(value: UInt64(bitPattern: try row.value(Int64.self)))
    conflicts = try row.value(Int64.self)
    fetch = try row.value(Data?.self).map { try Fetch(decoding: Array($0)) }
    doubt = Doubt(rawValue: try row.value(Int64.self)) ?? .none
    repairs = try row.value(Int64.self)
  }

  /// Stores the cursor.
  ///
  /// If the scope is already stored, its device id and batch number stay, because ``BatchQueue``
  /// updates them in the meantime.
  func save(_ writer: Writer) throws {
    try SQL(
      """
      INSERT INTO _cursor (\(Self.columns)) VALUES (
        \(scope.text), \(device.map { Data($0.encoded()) }), \(sent),
        \(role.map { Int64($0.rawValue) }), \(Int64(bitPattern: epoch)), \(seq),
        \(Int64(bitPattern: digest.value)), \(conflicts),
        \(fetch.map { Data($0.encoded()) }), \(doubt.rawValue), \(repairs))
      ON CONFLICT (scope) DO UPDATE SET role = excluded.role, epoch = excluded.epoch,
        seq = excluded.seq, digest = excluded.digest, conflicts = excluded.conflicts,
        fetch = excluded.fetch, doubt = excluded.doubt, repairs = excluded.repairs
      """
    ).run(writer)
  }
}

extension ScopeCursor.Fetch {
  func encode(into writer: inout WireWriter) {
    writer.value(position)
    writer.number(epoch)
    writer.value(replaced)
  }

  init(from reader: inout WireReader) throws(WireError) {
    position = try reader.value()
    epoch = try reader.number()
    replaced = try reader.value()
  }
}
