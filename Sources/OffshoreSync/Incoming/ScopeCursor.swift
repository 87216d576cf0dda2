import Offshore
import OffshoreWire

/// A row of `_cursor`: the device's progress in one scope, and the account's role there.
struct ScopeCursor: Hashable {
  /// A fetch whose pages are not applied yet.
  struct Fetch: Hashable {
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
  /// The number of the last batch that was part of a request.
  var offered: Int64 = 0
  /// The role that the server has granted the account, or `nil` if it was never granted one.
  var role: Role?
  /// The role that the account gives itself by a pending command, or `nil`.
  var wanted: WantedRole?
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

  /// The epoch of data that is not the server's any more: its data was restored from a copy, and
  /// no new epoch was begun.
  static let unknownEpoch = UInt64.max

  init(_ scope: ScopeID) { self.scope = scope }

  /// The condition of scopes that the account has left or may not read any more, the roles `left`
  /// and `revoked`, for the index on them.
  static let isEnded: SQL = "role IN (4, 5)"

  /// Returns the condition that the account may write a scope, or was never granted a role there.
  /// - Parameter scope: an expression of the scope.
  static func isWritable(_ scope: SQL) -> SQL {
    "NOT EXISTS (SELECT 1 FROM _cursor c WHERE c.scope = \(scope) AND c.role IN (3, 4, 5))"
  }

  /// Returns whether there is a scope that the account may not read any more, apart from those of which it
  /// has retained a copy.
  static func hasRevoked(_ reader: Reader) throws -> Bool {
    // NB: SQL, because the index serves only a query with its own condition.
    try SQL(
      """
      SELECT EXISTS (
        SELECT 1 FROM _cursor WHERE \(isEnded) AND role = \(Int64(Role.revoked.rawValue)))
      """
    ).first(reader, as: Bool.self) ?? false
  }

  /// The condition of scopes in which the account gives itself another role, for the index on them.
  static let hasWantedRole: SQL = "wanted IS NOT NULL"

  /// The role of the account as it applies on this device.
  var shownRole: Role? { wanted?.shown ?? role }

  /// Whether the device has rows of the scope to show.
  var isShown: Bool { role != .revoked }

  /// Whether the rows of the scope are hidden until the server answers: the account leaves it, and
  /// retains nothing.
  var isHidden: Bool { isShown && wanted?.shown == .revoked }

  /// The position at which the next page begins.
  var position: PullCursor.Position { fetch?.position ?? .changes(after: seq) }

  /// The number up to which the device has seen the changes, also if they are not applied yet.
  var seen: Int64 {
    switch position {
    case .changes(let number), .snapshot(let number?, after: _), .repair(_, let number?, after: _):
      max(seq, number)
    default: seq
    }
  }

  /// Whether the next page has rows in the order of their keys, each of them once.
  var isFetchingSnapshot: Bool { if case .snapshot = position { true } else { false } }

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
  mutating func reset() {
    (epoch, seq, digest, fetch, doubt, conflicts) = (0, 0, Digest(), nil, .none, 0)
  }
}

// MARK: - Storing

extension ScopeCursor: Record, Identifiable {
  static let table = Table(
    "_cursor",
    ScopeCursor.init(
      _:device:sent:role:epoch:seq:digest:conflicts:fetch:doubt:repairs:offered:wanted:),
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("device", \.device, as: .message),
    Column("sent", \.sent).default(0),
    Column("role", \.role, as: .role),
    Column("epoch", \.epoch, as: .bits).default(0),
    Column("seq", \.seq).default(0),
    Column("digest", \.digest, as: .bits).default(Digest()),
    Column("conflicts", \.conflicts).default(0),
    Column("fetch", \.fetch, as: .message),
    Column("doubt", \.doubt, as: .doubt).default(.none),
    Column("repairs", \.repairs).default(0),
    Column("offered", \.offered).default(0),
    Column("wanted", \.wanted, as: .message)
  ).ofLibrary().withoutRowID()

  var id: ScopeID { scope }

  private init(
    _ scope: ScopeID, device: DeviceID?, sent: Int64, role: Role?, epoch: UInt64, seq: Int64,
    digest: Digest, conflicts: Int64, fetch: Fetch?, doubt: Doubt, repairs: Int64, offered: Int64,
    wanted: WantedRole?
  ) {
    (self.scope, self.device, self.sent, self.role) = (scope, device, sent, role)
    (self.offered, self.wanted) = (offered, wanted)
    (self.epoch, self.seq, self.digest) = (epoch, seq, digest)
    (self.conflicts, self.fetch) = (conflicts, fetch)
    (self.doubt, self.repairs) = (doubt, repairs)
  }

  /// Returns the cursors of scopes that the device knows, by kind and then by value.
  /// - Parameter scopes: the scopes; by default all.
  static func inOrder(_ reader: Reader, of scopes: Set<ScopeID>? = nil) throws -> [ScopeCursor] {
    guard let scopes else { return try all.all(reader).sorted { $0.scope < $1.scope } }
    let query =
      scopes.count > WireLimits.scopesPerPull ? all : Self.where { $0.scope.in(scopes.sorted()) }
    return try query.all(reader).filter { scopes.contains($0.scope) }
      .sorted { $0.scope < $1.scope }
  }

  /// Returns the cursor of a scope, or a new one.
  static func of(_ scope: ScopeID, _ reader: Reader) throws -> ScopeCursor {
    try find(scope).first(reader) ?? ScopeCursor(scope)
  }

  /// Stores the cursor.
  ///
  /// If the scope is already stored, its device id and batch numbers stay, because ``BatchQueue``
  /// updates them in the meantime, and so does its wanted role.
  func save(_ writer: Writer) throws { try PullProgress(cursor: self).save(writer) }

  /// Stores the device id and the batch numbers only.
  func saveNumber(_ writer: Writer) throws {
    let count = try Self.find(scope).update(writer) {
      [$0.device.set(device), $0.sent.set(sent), $0.offered.set(offered)]
    }
    if count == 0 { try insert(writer) }
  }

  /// Stores the wanted role only.
  func saveWantedRole(_ writer: Writer) throws {
    try Self.find(scope).update(writer) { [$0.wanted.set(wanted)] }
  }
}

/// The columns of a ``ScopeCursor`` without the device id, the numbers of batches and the wanted role.
/// If the scope is already stored, saving them leaves these as they are.
private struct PullProgress: Record {
  let cursor: ScopeCursor

  static let table = Table(
    ScopeCursor.table.name,
    PullProgress.init(_:role:epoch:seq:digest:conflicts:fetch:doubt:repairs:),
    Column("scope", \.cursor.scope, as: .scope).primaryKey(),
    Column("role", \.cursor.role, as: .role),
    Column("epoch", \.cursor.epoch, as: .bits),
    Column("seq", \.cursor.seq),
    Column("digest", \.cursor.digest, as: .bits),
    Column("conflicts", \.cursor.conflicts),
    Column("fetch", \.cursor.fetch, as: .message),
    Column("doubt", \.cursor.doubt, as: .doubt),
    Column("repairs", \.cursor.repairs)
  ).ofLibrary().withoutRowID()

  init(cursor: ScopeCursor) { self.cursor = cursor }

  private init(
    _ scope: ScopeID, role: Role?, epoch: UInt64, seq: Int64, digest: Digest, conflicts: Int64,
    fetch: ScopeCursor.Fetch?, doubt: ScopeCursor.Doubt, repairs: Int64
  ) {
    var cursor = ScopeCursor(scope)
    (cursor.role, cursor.epoch, cursor.seq, cursor.digest) = (role, epoch, seq, digest)
    (cursor.conflicts, cursor.fetch) = (conflicts, fetch)
    (cursor.doubt, cursor.repairs) = (doubt, repairs)
    self.cursor = cursor
  }
}

extension ScopeCursor.Fetch: StoredMessage {
  static var samples: (Self, Self) {
    (Self(position: .changes(after: 0), epoch: 0), Self(position: .changes(after: 1), epoch: 0))
  }

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
