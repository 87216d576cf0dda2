import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A device that has received nothing yet.
struct SyncedDevice {
  let connection: Connection
  private let replica: Replica

  init(_ file: String) throws {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    connection = try Connection(file, configuration: configuration)
    replica = try Replica(try Errand.schema())
    try connection.execute(Errand.creation)
    try connection.write { try replica.outbox.install($0, device: DeviceID(UUID())) }
  }

  /// Applies the bodies of a server's answers.
  func apply(_ answers: [[UInt8]]) throws {
    var last: PullReport?
    for body in answers {
      let answer = try PullResponse(body: body)
      let request = try connection.read { try replica.nextPull($0) }
      last = try connection.write {
        try replica.apply(
          answer, to: request, at: RequestTimes(sent: 1, received: 1), $0, makeID: { UUID() })
      }
    }
    try expect(
      last?.isComplete == true && last?.differingScopes == [], "rows that are applied and add up")
  }
}

/// The bodies of a server's answers to a new device, from a grant to the last change, and then
/// after a change of one column in each row.
struct Snapshot {
  let answers: [[UInt8]]
  let changes: [[UInt8]]

  private static let rowsPerPage = WireLimits.rowsPerPage

  init(rows count: Int) throws {
    let errands = Errand.rows(count)
    let rows = errands.enumerated().map { $1.synced(seq: Int64($0 + 1)) }.sorted { $0.row < $1.row }
    let changed = errands.enumerated().map { index, errand in
      errand.synced(seq: Int64(index + 1), retitledAs: Int64(count + index + 1))
    }
    let grant = PullResponse(
      serverTime: 1, epoch: 1, grants: [Grant(try Self.scope(), .editor, seq: 1)], scopes: [])
    let head = Int64(count)
    answers =
      try [grant.body]
      + Self.pages(of: rows, head: head, adding: rows) {
        .snapshot(head: head, after: $0.row)
      } + Self.pages(of: [], head: head, adding: rows) { _ in .changes(after: head) }
    changes = try Self.pages(of: changed, head: 2 * head, adding: changed) {
      .changes(after: $0.seq)
    }
  }

  private static func scope() throws -> ScopeID {
    try ScopeID(kind: "charter", value: "alma-2026")
  }

  /// Splits events into pages; only a page that is not full ends at the head.
  private static func pages(
    of rows: [SyncedRow], head: Int64, adding all: [SyncedRow],
    next: (SyncedRow) -> PullCursor.Position
  ) throws -> [[UInt8]] {
    var digest = Digest()
    for row in all { digest.add(row.state, of: row.row) }
    let scope = try scope()
    return stride(from: 0, through: rows.count, by: rowsPerPage).map { start in
      let part = rows[start..<min(start + rowsPerPage, rows.count)]
      let isFull = part.count == rowsPerPage
      let page = ScopePage(
        rows: RowPage(Array(part)), isFull: isFull,
        next: isFull ? part.last.map(next) ?? .changes(after: head) : .changes(after: head),
        head: head, digest: digest, minSeq: 0, lastBatch: 0)
      return PullResponse(
        serverTime: 1, epoch: 1, grants: [], scopes: [ScopeAnswer(scope, epoch: 1, .page(page))]
      ).body
    }
  }
}
