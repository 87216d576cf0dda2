import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// Brings 100,000 rows to an empty device, as the first sync does: pages of 10,000 that are kept until
/// all are there, then applied in one write.
///
/// The answers of the server are there at once. The file does not wait for the disk.
struct Apply: Job {
  let name = "apply"
  let goal = Goal.milliseconds(must: 1000)

  private let count = 100_000
  private let rounds = 5

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let snapshot = try Snapshot(rows: count)
    var (device, round) = (try SyncedDevice(folder.file("device.sqlite")), 0)
    var measurement = try await Measurement.alone(rounds: rounds) {
      device.connection.close()
      device = try SyncedDevice(folder.file("device-\(round).sqlite"))
      round += 1
    } ours: {
      try device.take(snapshot.answers)
    }
    let found = try device.connection.read {
      try SQL("SELECT count(*) FROM errands").one($0, as: Int.self)
    }
    try expect(found == count, "\(count) rows, not \(found ?? 0)")
    measurement.tellRate(of: count, "rows")
    return measurement
  }
}

/// A device that nothing has come to.
private struct SyncedDevice {
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

  func take(_ answers: [PullResponse]) throws {
    var last: PullReport?
    for answer in answers {
      let request = try connection.read { try replica.nextPull($0) }
      last = try connection.write {
        try replica.take(
          answer, to: request, at: Exchange(sent: 1, received: 1), $0, makeID: { UUID() })
      }
    }
    try expect(last?.isComplete == true && last?.inDoubt == [], "rows that are applied and add up")
  }
}

/// What a server answers, from a grant to the last change.
private struct Snapshot {
  let answers: [PullResponse]

  init(rows count: Int) throws {
    let scope = try ScopeID(kind: "charter", value: "alma-2026")
    let rows = Errand.rows(count).enumerated().map { $1.synced(seq: Int64($0 + 1)) }
      .sorted { $0.row < $1.row }
    var digest = Digest()
    for row in rows { digest.add(row.state, of: row.row) }
    let head = Int64(count)
    func page(_ rows: ArraySlice<SyncedRow>, _ next: PullCursor.Position) -> PullResponse {
      let page = ScopePage(
        rows: RowPage(Array(rows)), isFull: next != .changes(after: head), next: next, head: head,
        digest: digest, minSeq: 0, lastBatch: 0)
      return PullResponse(
        serverTime: 1, grants: [], scopes: [ScopeAnswer(scope, epoch: 1, .page(page))])
    }
    let grant = PullResponse(serverTime: 1, grants: [Grant(scope, .editor, seq: 1)], scopes: [])
    let pages = stride(from: 0, to: count, by: WireLimits.rowsPerPage).map { start in
      let part = rows[start..<min(start + WireLimits.rowsPerPage, count)]
      return page(part, .snapshot(head: head, after: part.last?.row))
    }
    answers = [grant] + pages + [page([], .changes(after: head))]
  }
}
