import OffshoreWire

@testable import OffshoreServer

/// A device in one scope that stages pages, and applies them at the first that is not full.
struct PagingDevice {
  let scope: ScopeID
  /// What it has, as of its cursor.
  private(set) var rows: [RowID: SyncedRow] = [:]
  private var epoch: UInt64 = 0
  private var cursor: Int64 = 0
  private var position = PullCursor.Position.snapshot(head: nil, after: nil)
  private var staged: [RowID: SyncedRow] = [:]
  private var isReplacing = true

  init(_ scope: ScopeID) { self.scope = scope }

  /// Whether pages are staged, so that the next one goes on from them.
  var isAmidPages: Bool { !staged.isEmpty }

  /// The sum of what it has.
  var digest: Digest { rows.values.reduce(into: Digest()) { $0.add($1.state, of: $1.row) } }

  /// The rows that are there.
  var living: [RowID: SyncedRow] { rows.filter { $0.value.state.isLiving } }

  var request: PullCursor {
    PullCursor(scope, epoch: epoch, position: position, acknowledged: cursor)
  }

  /// Takes an answer.
  /// - Returns: what the digest is to be, where everything is there; `nil` where more is to be pulled.
  mutating func take(_ answer: ScopeAnswer) -> Digest? {
    epoch = answer.epoch
    guard case .page(let page) = answer.content else {
      (position, staged, isReplacing) = (.snapshot(head: nil, after: nil), [:], true)
      return nil
    }
    for row in page.rows.rows { staged[row.row] = row }
    position = page.next
    if page.isFull { return nil }
    if case .snapshot(let head, _) = page.next {
      position = .changes(after: head ?? 0)
      return nil
    }
    if isReplacing { rows = [:] }
    rows.merge(staged) { $1 }
    rows = rows.filter { $0.value.state.isLiving || $0.value.seq > page.minSeq }
    (staged, isReplacing, cursor) = ([:], false, page.head)
    return page.digest
  }
}
