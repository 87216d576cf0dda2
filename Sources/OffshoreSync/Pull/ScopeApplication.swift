import Foundation
import Offshore
import OffshoreWire

/// Applies to one scope the pages that were kept and the last one.
struct ScopeApplication {
  let writer: Writer
  let scope: ScopeID
  private let isSnapshot: Bool
  /// The sum of the confirmed rows.
  private(set) var digest: Digest
  /// The latest stamp of any row.
  private(set) var latest: Stamp?
  /// The rows that a snapshot has.
  private var seen: Set<RowID> = []

  init(writer: Writer, scope: ScopeID, cursor: ScopeCursor?) {
    self.writer = writer
    self.scope = scope
    isSnapshot = cursor?.fetch?.isSnapshot ?? false
    digest = cursor?.digest ?? Digest()
  }

  mutating func run(_ page: ScopePage, _ application: inout RowApplication) throws {
    let kept = try SQL("SELECT content FROM _page WHERE scope = \(scope.text) ORDER BY k")
      .all(writer, as: Data.self)
    for content in kept {
      try apply(try RowPage(decoding: Array(content)), &application)
    }
    try apply(page.rows, &application)
    guard isSnapshot else { return }
    for row in try RowEntries(writer: writer).rows(in: "_row", where: "scope = \(scope.text)")
    where !seen.contains(row) {
      try confirm(row, nil, &application)
    }
  }

  private mutating func apply(_ page: RowPage, _ application: inout RowApplication) throws {
    for row in page.rows {
      try confirm(row.row, row.state, &application)
      if isSnapshot { seen.insert(row.row) }
      latest = max(latest ?? row.state.stamp, row.state.stamp)
      for version in row.state.versions.values { latest = max(latest ?? version, version) }
    }
  }

  private mutating func confirm(
    _ row: RowID, _ state: RowState?, _ application: inout RowApplication
  ) throws {
    let hash = state.map { $0.isLiving ? $0.hash(of: row) : 0 } ?? 0
    let before = try application.confirm(row, state, hash: hash, in: scope)
    digest = Digest(value: digest.value &- before &+ hash)
  }
}
