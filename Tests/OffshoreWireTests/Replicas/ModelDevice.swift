@testable import OffshoreWire

/// A device with one scope in memory, which sends and receives encoded messages.
struct ModelDevice {
  let id: DeviceID
  let scope: ScopeID
  private let merge: Merge
  private var clock: HybridClock
  /// The time by which the device's clock is ahead of the true time, in milliseconds.
  private let skew: Int64
  /// The rows that a pull has confirmed.
  private(set) var confirmed: [RowID: SyncedRow] = [:]
  /// The batches that are not sent, not answered or not pulled yet. An applied one has the change
  /// number that the cursor has to reach.
  private(set) var pending: [(batch: Batch, seq: Int64?)] = []
  /// The batches that the server has rejected.
  private(set) var dead: [Batch] = []
  private(set) var applied: [Batch] = []
  private var lastNumber: Int64 = 0
  private var cursor: Int64 = 0
  private var position = PullCursor.Position.changes(after: 0)
  private var staged: [RowID: SyncedRow] = [:]
  private var isReplacing = false

  init(_ number: UInt64, _ scope: ScopeID, skew: Int64) throws {
    id = .sample(number)
    self.scope = scope
    self.skew = skew
    merge = try Fleet.merge()
    clock = HybridClock(device: id)
  }

  /// Returns the visible row: the confirmed one with the pending ops applied.
  func visible(_ row: RowID) -> RowState? {
    let ops = pending.flatMap(\.batch.ops).filter { $0.row == row }
    return ops.reduce(confirmed[row]?.state) { state, op in
      guard case .merged(let merged) = merge.apply(op, to: state) else { return state }
      return merged.state
    }
  }

  // MARK: - Edits

  /// Edits rows. Each edit receives the visible row and a new stamp, and returns an op, or `nil`
  /// for none.
  mutating func edit(at now: Int64, _ edits: [(RowState?, Stamp) -> Op?], of rows: [RowID]) {
    var ops: [Op] = []
    for (row, edit) in zip(rows, edits) where !ops.contains(where: { $0.row == row }) {
      let stamp = clock.next(at: now + skew)
      if let op = edit(visible(row), stamp) { ops.append(op) }
    }
    if ops.isEmpty { return }
    lastNumber += 1
    let id = DeviceID(high: self.id.low, low: UInt64(lastNumber)).uuid
    pending.append((Batch(scope, number: lastNumber, id: id, ops: ops), nil))
  }

  // MARK: - Push

  /// Returns the request with all unanswered batches, or `nil` if there are none.
  func pushBody() -> [UInt8]? {
    let batches = pending.filter { $0.seq == nil }.map(\.batch)
    if batches.isEmpty { return nil }
    return PushRequest(device: id, epoch: 1, manifestVersion: 1, batches: batches).body
  }

  mutating func pushed(_ body: [UInt8], sent: Int64, received: Int64) throws {
    let response = try PushResponse(body: body)
    learn(response.serverTime, sent, received)
    for result in response.results {
      guard let index = pending.firstIndex(where: { $0.batch.number == result.number }) else {
        continue
      }
      switch result.outcome {
      case .applied(let range):
        if pending[index].seq == nil { applied.append(pending[index].batch) }
        pending[index].seq = range.last
      case .rejected: dead.append(pending.remove(at: index).batch)
      case .forked, .gap: break
      }
    }
    dropWhatArrived()
  }

  private mutating func learn(_ serverTime: Int64, _ sent: Int64, _ received: Int64) {
    clock.updateOffset(server: serverTime, sent: sent + skew, received: received + skew)
  }

  private mutating func dropWhatArrived() {
    let cursor = cursor
    pending.removeAll { batch in batch.seq.map { $0 <= cursor } ?? false }
  }

  // MARK: - Pull

  func pullBody(limit: Int) -> [UInt8] {
    let cursor = PullCursor(scope, epoch: 1, position: position, acknowledged: cursor)
    return PullRequest(
      device: id, manifestVersion: 1, grantsAfter: 0, cursors: [cursor], limit: limit
    ).body
  }

  /// Applies a page. Rows are staged until a page is not full.
  /// - Returns: The expected digest if all pages have arrived; `nil` if more have to be pulled.
  mutating func pulled(_ body: [UInt8], sent: Int64, received: Int64) throws -> Digest? {
    let response = try PullResponse(body: body)
    learn(response.serverTime, sent, received)
    guard let answer = response.scopes.first else { return nil }
    guard case .page(let page) = answer.content else {
      (position, staged, isReplacing) = (.snapshot(head: nil, after: nil), [:], true)
      return nil
    }
    for row in page.rows.rows {
      staged[row.row] = row
      clock.observe(row.state.stamp, at: received + skew)
      for version in row.state.versions.values { clock.observe(version, at: received + skew) }
    }
    position = page.next
    if page.isFull { return nil }
    if case .snapshot(let head, _) = page.next {
      position = .changes(after: head ?? 0)
      return nil
    }
    apply(page)
    return page.digest
  }

  private mutating func apply(_ page: ScopePage) {
    if isReplacing { confirmed = [:] }
    confirmed = confirmed.filter { $0.value.state.isLiving || $0.value.seq > page.minSeq }
    confirmed.merge(staged) { $1 }
    (staged, isReplacing, cursor) = ([:], false, page.head)
    position = .changes(after: page.head)
    dropWhatArrived()
  }

  /// The digest of the confirmed rows.
  var digest: Digest {
    confirmed.reduce(into: Digest()) { $0.add($1.value.state, of: $1.key) }
  }
}
