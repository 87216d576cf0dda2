import Foundation
import Offshore
import OffshoreWire

/// The sealing of the oldest captured transactions into batches, within one write.
struct Sealer {
  let schema: SyncSchema
  let derivations: Derivations
  let writer: Writer
  let now: Int64
  let limits: SealingLimits
  let makeID: () -> UUID

  private struct Plan {
    /// The number of the last entry to seal.
    let end: Int64
    /// The numbers of the entries to seal, and of their transactions.
    let entries: Int
    let transactions: Int
    var units: [ScopeID: [BatchPlan.Unit]] = [:]
    var changes: [RowID: CapturedRow] = [:]
    /// The time at which the oldest transaction ended, in milliseconds since 1970.
    var oldest: Int64
    var versions: [RowID: [ScopeID: RowVersion]] = [:]
    var versionsBefore: [RowID: [ScopeID: RowVersion]] = [:]
    var dead: [(row: RowID, rejection: Rejection)] = []
    var parts = TransactionParts()
    var clock: HybridClock
    var reinsertions = Reinsertions()
  }

  /// - Parameter room: the number of entries to begin with, from the previous run, or `nil` for the
  ///   first one. It becomes the number that fitted.
  func run(_ room: inout Int?) throws -> [Batch] {
    let state = try ReplicaState(writer)
    guard try JournalRow.all.exists(writer) else { return [] }
    let journal = Journal(reader: writer, layout: try CaptureLayout(writer), schema: schema)
    // An entry becomes at most two ops.
    let most = max(limits.ops / 2, 1)
    var count = min(room ?? most, most)
    while let end = try self.end(of: count) {
      let plan = try plan(journal, state, until: end)
      let share = self.share(of: plan)
      guard share > 1, plan.transactions > 1 else {
        room = share < 0.5 ? min(count * 2, most) : count
        return try store(plan, state)
      }
      // If transactions do not fit into a batch together, fewer are sealed.
      count = max(min(Int(Double(plan.entries) / share * 0.9), plan.entries - 1), 1)
    }
    return []
  }

  // MARK: - Planning

  /// Returns the number of the last entry to seal.
  ///
  /// It belongs to the last of the oldest transactions that have at most `count` entries in total.
  /// If the oldest transaction has more, it is sealed alone.
  private func end(of count: Int) throws -> Int64? {
    // NB: SQL, because it runs for each request.
    guard
      let first = try SQL("SELECT batch FROM _outbox ORDER BY seq LIMIT 1")
        .first(writer, as: Int64.self)
    else { return nil }
    let over = try SQL("SELECT batch FROM _outbox ORDER BY seq LIMIT 1 OFFSET \(count)")
      .first(writer, as: Int64.self)
    let last = over.map { max($0 - 1, first) } ?? .max
    return try SQL("SELECT max(seq) FROM _outbox WHERE batch <= \(last)")
      .first(writer, as: Int64.self)
  }

  private func plan(_ journal: Journal, _ state: ReplicaState, until end: Int64) throws -> Plan {
    let entries = try journal.entries(where: "seq <= \(end)")
    let dates = try TransactionEnd.dates(writer)
    let later = try journal.entries(
      where:
        "seq > \(end) AND (tbl, id) IN (SELECT tbl, id FROM _outbox WHERE seq <= \(end))")
    var plan = Plan(
      end: end, entries: entries.values.reduce(0) { $0 + $1.count },
      transactions: Set(entries.values.joined().map(\.transaction)).count,
      oldest: dates.values.min() ?? now, clock: state.clock)
    var changes: [DatedChange] = []
    for (number, keys) in Dictionary(grouping: entries.keys, by: \.table) {
      let name = journal.layout.tables[number].name
      let ids: SQL = "SELECT id FROM _outbox WHERE tbl = \(number) AND seq <= \(end)"
      let rows = try schema[name].map { try journal.rows($0, in: ids) } ?? [:]
      let versions = try schema[name].map { try journal.versions($0, in: ids) } ?? [:]
      if let table = schema.present[name], !versions.isEmpty {
        try plan.reinsertions.add(table, in: ids, schema, writer)
      }
      for key in keys {
        // An id that is not a text is refused when the op is checked.
        let row = RowID(table: name, id: key.id.string ?? "")
        let own = entries[key] ?? []
        let change = CapturedRow(own, before: later[key] ?? [], current: rows[key.id])
        plan.parts.join(own.map(\.transaction), by: row)
        plan.versions[row] = versions[row.id]
        let date = own.last.flatMap { dates[$0.transaction] } ?? now
        changes.append(DatedChange(row: row, change: change, date: date))
      }
    }
    plan.versionsBefore = plan.versions
    for (row, places) in plan.reinsertions.places {
      for (scope, place) in places { plan.versions[row]?[scope] = place.version }
    }
    makeOps(changes.sorted { $0.change.first < $1.change.first }, &plan)
    return plan
  }

  /// A change of a row, and the time at which its transaction ended.
  private struct DatedChange {
    let row: RowID
    let change: CapturedRow
    let date: Int64
  }

  private func makeOps(_ changes: [DatedChange], _ plan: inout Plan) {
    var maker = OpMaker(
      manifest: schema.present, formerColumns: FormerColumns(schema: schema, reader: writer),
      clock: plan.clock, now: now)
    for dated in changes {
      let (row, change) = (dated.row, dated.change)
      maker.now = dated.date
      var versions = plan.versions[row] ?? [:]
      do {
        let edits = try maker.edits(of: change, row, &versions)
        guard !edits.isEmpty else { continue }
        plan.versions[row] = versions
        plan.changes[row] = change
        for (scope, edits) in Dictionary(grouping: edits, by: \.scope) {
          plan.units[scope, default: []].append(BatchPlan.Unit(row: row, ops: edits.map(\.op)))
        }
      } catch {
        plan.dead.append((row, error))
      }
    }
    plan.clock = maker.clock
  }

  /// Returns the share of the limits that the largest batch uses, more than 1 if it exceeds them.
  private func share(of plan: Plan) -> Double {
    plan.units.values.reduce(0) { share, units in
      let ops = units.reduce(0) { $0 + $1.ops.count }
      let bytes = units.reduce(0) { $0 + $1.byteCount }
      return max(share, Double(ops) / Double(limits.ops), Double(bytes) / Double(limits.bytes))
    }
  }

  // MARK: - Storing

  private func store(_ plan: Plan, _ state: ReplicaState) throws -> [Batch] {
    var batches: [Batch] = []
    let order = BatchPlan(manifest: schema.present, limits: limits)
    var transactions = plan.parts
    let queue = BatchQueue(writer: writer, makeID: makeID)
    var (units, reinsertions) = (plan.units, plan.reinsertions)
    for dead in plan.dead { reinsertions.retain(dead.row) }
    try reinsertions.run(&units, writer)
    for (scope, units) in units.sorted(by: { $0.key < $1.key }) {
      for ops in order.parts(order.ordered(units)) {
        let parts = ops.map { transactions.number(of: $0.row) }
        batches.append(try queue.add(ops, parts, made: plan.oldest, in: scope, by: state.device))
      }
    }
    let rows = RowEntries(writer: writer)
    for (row, change) in plan.changes.sorted(by: { $0.key < $1.key }) {
      for (scope, version) in plan.versions[row] ?? [:] {
        let before = plan.versionsBefore[row]?[scope]
        guard version != before else { continue }
        try shadow(row, scope, before, change)
        try rows.save(version, of: row, in: scope)
      }
    }
    for (row, places) in reinsertions.places {
      for (scope, place) in places
      where plan.changes[row] == nil || plan.versions[row]?[scope] == place.version {
        try rows.reset(row, in: scope, to: place.version)
      }
    }
    let deadLetters = DeadLetters(writer: writer, now: now)
    for dead in plan.dead { try deadLetters.add(dead.row, in: nil, dead.rejection) }
    try JournalRow.where { $0.number <= plan.end }.delete(writer)
    let first = try JournalRow.all.min(writer) { $0.transaction }
    try TransactionEnd.where { $0.transaction < (first ?? .max) }.delete(writer)
    var state = state
    state.clock = plan.clock
    try state.save(writer)
    // Rows that were refused are pending again, and those that cannot be sent are refused.
    try derivations.run(
      for: reinsertions.places.keys + plan.dead.map { $0.row }, writer)
    return batches
  }

  /// Stores the confirmed state of a row before its first sealed change, unless it is already
  /// stored.
  private func shadow(
    _ row: RowID, _ scope: ScopeID, _ before: RowVersion?, _ change: CapturedRow
  ) throws {
    let confirmed = schema.present[row.table].flatMap { table in
      before?.state((change.new ?? [:]).merging(change.old) { $1 }, in: table)
    }
    try ShadowRow(tableName: row.table, id: row.id, scope: scope, confirmed: confirmed)
      .insertIfAbsent(writer)
  }
}

/// The maximum sizes of a batch and of a message.
///
/// Adjacent transactions are merged while they fit. A single transaction that is larger, such as a
/// change of 100,000 rows, becomes several batches with consecutive numbers. Other devices see each
/// batch as a whole. All changes of a row in a transaction are in one batch, and a row comes after the
/// rows that it refers to, so that no reference dangles.
public struct SealingLimits: Hashable, Sendable {
  /// The maximum number of ops in a batch, and of those in a message.
  public var ops = WireLimits.opsPerPush
  /// The maximum number of bytes of a batch's ops, unless they change a single row. A batch has to
  /// pass as a whole: 256 KiB take half a minute over a link of 64 kbit/s.
  public var bytes = 256 << 10
  /// The maximum number of bytes of the batches in a message, unless it has a single one. It is less
  /// than the limit of the protocol (`WireLimits.bodyBytes`), because a message has other content
  /// besides the batches.
  public var messageBytes = WireLimits.bodyBytes - (64 << 10)

  /// Creates limits for any link.
  public init() {}
}
