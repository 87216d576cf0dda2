@testable import OffshoreWire

/// A server of one scope in memory, which receives and sends encoded messages.
struct ModelServer {
  /// The time by which a stamp may be ahead of the server's clock, in milliseconds.
  private static let tolerance: Int64 = 500

  let scope: ScopeID
  let manifest: Manifest
  private let merge: Merge
  private(set) var rows: [RowID: SyncedRow] = [:]
  private(set) var head: Int64 = 0
  private(set) var minSeq: Int64 = 0
  private(set) var digest = Digest()
  private(set) var conflicts: [Conflict] = []
  private var stored: [DeviceID: [(hash: ContentHash, result: BatchResult)]] = [:]

  init(_ scope: ScopeID) throws {
    self.scope = scope
    manifest = try Fleet.manifest()
    merge = try Fleet.merge()
  }

  // MARK: - Push

  mutating func push(_ body: [UInt8], at now: Int64) throws -> [UInt8] {
    let request = try PushRequest(body: body)
    let results = request.batches.map { receive($0, of: request.device, at: now) }
    return PushResponse(epoch: 1, serverTime: now, results: results).body
  }

  private mutating func receive(_ batch: Batch, of device: DeviceID, at now: Int64) -> BatchResult {
    func result(_ outcome: BatchResult.Outcome, isRepeated: Bool = false) -> BatchResult {
      BatchResult(
        scope: batch.scope, number: batch.number, outcome: outcome, isRepeated: isRepeated)
    }
    let earlier = stored[device] ?? []
    let index = Int(batch.number) - 1
    if index < earlier.count {
      guard earlier[index].hash == batch.hash else { return result(.forked) }
      return result(earlier[index].result.outcome, isRepeated: true)
    }
    guard index == earlier.count else { return result(.gap(expected: Int64(earlier.count) + 1)) }
    let answer = result(apply(batch, at: now))
    stored[device, default: []].append((batch.hash, answer))
    return answer
  }

  /// Applies a batch as a whole or not at all.
  private mutating func apply(_ batch: Batch, at now: Int64) -> BatchResult.Outcome {
    var next = self
    for op in batch.ops {
      do throws(Rejection) {
        try manifest.check(op, in: batch.scope)
      } catch {
        return .rejected(error, current: rows[op.row])
      }
      let state = next.rows[op.row]?.state
      switch merge.apply(op.clamped(to: now + Self.tolerance, over: state), to: state) {
      case .refused(let rejection): return .rejected(rejection, current: rows[op.row])
      case .merged(let row):
        next.conflicts += row.conflicts
        if row.isChanged { next.write(row.state, op.row) }
      }
    }
    let range = SeqRange(first: head + 1, count: next.head - head)
    self = next
    return .applied(range)
  }

  private mutating func write(_ state: RowState, _ row: RowID) {
    digest.replace(rows[row]?.state, with: state, of: row)
    head += 1
    rows[row] = SyncedRow(row, seq: head, state: state)
  }

  /// Removes the tombstones up to a change number.
  mutating func collect(upTo seq: Int64) {
    minSeq = max(minSeq, seq)
    rows = rows.filter { $0.value.state.isLiving || $0.value.seq > minSeq }
  }

  // MARK: - Pull

  func pull(_ body: [UInt8], at now: Int64) throws -> [UInt8] {
    let request = try PullRequest(body: body)
    let answers = request.cursors.map { cursor in
      ScopeAnswer(cursor.scope, epoch: 1, answer(cursor, of: request))
    }
    return PullResponse(serverTime: now, epoch: 1, grants: [], scopes: answers).body
  }

  private func answer(_ cursor: PullCursor, of request: PullRequest) -> ScopeAnswer.Content {
    let page: ArraySlice<SyncedRow>
    let next: PullCursor.Position
    switch cursor.position {
    case .changes(let seq):
      guard seq >= minSeq else { return .resync(minSeq: minSeq) }
      page = rows.values.filter { $0.seq > seq }.sorted { $0.seq < $1.seq }.prefix(request.limit)
      next = .changes(after: page.count == request.limit ? page.last?.seq ?? head : head)
    case .snapshot(let start, let row), .repair(_, let start, let row):
      let rest = rows.values.filter { candidate in row.map { candidate.row > $0 } ?? true }
      page = rest.sorted { $0.row < $1.row }.prefix(request.limit)
      next = .snapshot(head: start ?? head, after: page.last?.row ?? row)
    }
    return .page(
      ScopePage(
        rows: RowPage(Array(page)), isFull: page.count == request.limit, next: next, head: head,
        digest: digest, minSeq: minSeq,
        lastBatch: Int64(stored[request.device]?.count ?? 0)))
  }
}
