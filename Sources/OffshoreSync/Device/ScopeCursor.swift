import Foundation
import Offshore
import OffshoreWire

/// A row of `_cursor`: how far a device is in one scope, and what it may do there.
struct ScopeCursor: Hashable {
  /// What is being fetched while pages of it wait to be applied.
  struct Fetch: Hashable, WireCodable {
    /// Where the next page begins.
    var position: PullCursor.Position
    /// The epoch of the data that is being fetched.
    var epoch: UInt64
    /// The ranges whose rows leave that are not fetched; all of them for a snapshot.
    var replaced = RangeSet()
  }

  /// What is done where the sum of the rows is not the server's.
  enum Doubt: Int64 {
    /// The sums are alike.
    case none
    /// The sums of ranges are asked for.
    case asking
    /// The ranges that differ are fetched anew.
    case repairing
    /// All rows are fetched anew.
    case replacing
    /// Nothing of that has helped. The next change begins anew.
    case lasting
  }

  let scope: ScopeID
  /// The device under whose name batches have been numbered.
  var device: DeviceID?
  /// The number of the last batch that was sealed.
  var sent: Int64 = 0
  /// What the account may do, or `nil` where nothing was ever granted.
  var role: Role?
  /// The epoch of the data that is applied, or 0 before the first.
  var epoch: UInt64 = 0
  /// The number of the last change that is applied.
  var seq: Int64 = 0
  /// The sum of the confirmed rows.
  var digest = Digest()
  /// The number of the last conflict that was heard of.
  var conflicts: Int64 = 0
  /// What is being fetched, or `nil` where what comes follows on what is applied.
  var fetch: Fetch?
  /// What is done about sums that differ.
  var doubt = Doubt.none
  /// How often rows were fetched anew because sums differed.
  var repairs: Int64 = 0

  init(_ scope: ScopeID) { self.scope = scope }

  /// Whether rows of the scope are shown.
  var isShown: Bool { role != .revoked }

  /// Where the next page begins.
  var position: PullCursor.Position { fetch?.position ?? .changes(after: seq) }

  /// Begins to fetch all rows anew, beside those that are applied.
  mutating func restart(epoch: UInt64) {
    if epoch != self.epoch { conflicts = 0 }
    fetch = Fetch(position: .snapshot(head: nil, after: nil), epoch: epoch, replaced: .all)
  }

  /// Begins to fetch the rows of some ranges anew.
  mutating func repair(_ ranges: RangeSet) {
    fetch = Fetch(
      position: .repair(ranges: ranges, head: seq, after: nil), epoch: epoch, replaced: ranges)
  }

  /// Forgets what was applied, but not which numbers batches have had.
  mutating func forget() {
    (epoch, seq, digest, fetch, doubt, conflicts) = (0, 0, Digest(), nil, .none, 0)
  }
}

// MARK: - Storing

extension ScopeCursor {
  private static let columns: SQL =
    "scope, device, sent, role, epoch, seq, digest, conflicts, fetch, doubt, repairs"

  /// All scopes that the device knows, in order.
  static func all(_ reader: Reader) throws -> [ScopeCursor] {
    try reader.connection.fetch("SELECT \(columns) FROM _cursor") { try ScopeCursor(&$0) }
      .sorted { $0.scope < $1.scope }
  }

  /// The cursor of a scope, or a new one.
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

  /// Keeps all but the number of the last batch, which ``BatchQueue`` counts meanwhile.
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
