import OffshoreWire
import TestSupport

@testable import OffshoreServer

/// A device in one scope. It stages pages, and applies them at the first page that is not full.
struct PagingDevice {
  let scope: ScopeID
  /// The device's rows, as of its cursor.
  private(set) var rows: [RowID: SyncedRow] = [:]
  /// The conflicts that the device has received.
  private(set) var conflicts: [NumberedConflict] = []
  /// The number of repairs that the device has begun.
  private(set) var repairs = 0
  private var epoch: UInt64 = 0
  private var cursor: Int64 = 0
  private var position = PullCursor.Position.snapshot(head: nil, after: nil)
  private var staged: [RowID: SyncedRow] = [:]
  /// The ranges whose rows the staged rows replace, or `nil` if they are merged into the present
  /// rows.
  private var replacing: RangeSet? = .all
  private var isDamaged = false
  private var wantsRangeDigests = false

  init(_ scope: ScopeID) { self.scope = scope }

  /// Whether pages are staged, so that the next page continues them.
  var isAmidPages: Bool { !staged.isEmpty }

  /// The sum of the device's rows.
  var digest: Digest { rows.values.reduce(into: Digest()) { $0.add($1.state, of: $1.row) } }

  /// The rows that are not deleted.
  var living: [RowID: SyncedRow] { rows.filter { $0.value.state.isLiving } }

  var request: PullCursor {
    PullCursor(
      scope, epoch: epoch, position: position, acknowledged: cursor,
      conflictsAfter: conflicts.last?.number ?? 0, wantsRangeDigests: wantsRangeDigests)
  }

  /// Removes or changes a row, as damaged storage would.
  mutating func damage(_ random: inout SeededRandom) {
    let rows = living.keys.sorted()
    guard replacing == nil, let row = rows.randomElement(using: &random) else { return }
    self.rows[row] = random.number(below: 2) == 0 ? nil : .sample(row.id, seq: cursor)
    isDamaged = true
  }

  // MARK: - Pages

  /// Applies an answer.
  /// - Returns: The expected digest if all pages have arrived; `nil` if more have to be pulled.
  mutating func apply(_ answer: ScopeAnswer) -> Digest? {
    epoch = answer.epoch
    guard case .page(let page) = answer.content else {
      (position, staged, replacing) = (.snapshot(head: nil, after: nil), [:], .all)
      return nil
    }
    for row in page.rows.rows { staged[row.row] = row }
    conflicts += page.conflicts
    position = page.next
    if page.isFull { return nil }
    switch page.next {
    case .changes: return apply(page)
    case .snapshot(let head, _): position = .changes(after: head ?? 0)
    case .repair(_, let head, _): position = .changes(after: head ?? 0)
    }
    return nil
  }

  private mutating func apply(_ page: ScopePage) -> Digest? {
    if let replacing { rows = rows.filter { !replacing.contains($0.key.range) } }
    rows.merge(staged) { $1 }
    rows = rows.filter { $0.value.state.isLiving || $0.value.seq > page.minSeq }
    (staged, replacing, cursor) = ([:], nil, page.head)
    guard isDamaged, digest != page.digest else {
      (isDamaged, wantsRangeDigests) = (false, false)
      return page.digest
    }
    look(for: page.rangeDigests, page.head)
    return nil
  }

  /// Requests the ranges that differ, or first their digests if they are not known.
  private mutating func look(for others: RangeDigests?, _ head: Int64) {
    wantsRangeDigests = others == nil
    guard let others else { return }
    let own = rows.values.reduce(into: RangeDigests()) { $0.add($1.state, of: $1.row) }
    let ranges = own.ranges(differingFrom: others)
    replacing = ranges
    repairs += 1
    position = .repair(ranges: ranges, head: head, after: nil)
  }
}
