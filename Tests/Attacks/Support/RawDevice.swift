import Foundation
import OffshoreWire
import Synchronization

/// A device that makes its messages by hand, for one scope.
final class RawDevice: Sendable {
  let scope: ScopeID
  let device: DeviceID
  private let state: Mutex<(number: Int64, time: Int64)>

  init(device: DeviceID = DeviceID(UUID())) throws {
    self.device = device
    scope = try ScopeID(kind: "list", value: UUID().uuidString)
    state = Mutex((0, Int64(Date().timeIntervalSince1970 * 1_000) - 3_600_000))
  }

  /// Creates another device that writes to a scope.
  init(sharing scope: ScopeID) {
    self.scope = scope
    device = DeviceID(UUID())
    state = Mutex((0, Int64(Date().timeIntervalSince1970 * 1_000) - 3_600_000))
  }

  private var now: Stamp {
    state.withLock { state in
      state.time += 1
      return Stamp(milliseconds: state.time, device: device)
    }
  }

  // MARK: - Edits

  /// Returns the insertion of a note.
  func note(_ id: String, _ text: String = "", table: String = "notes") -> Op {
    Op(
      .put, RowID(table: table, id: id),
      fields: ["list": WireValue(scope.value), "text": WireValue(text), "votes": 0, "weight": 0],
      stamp: now)
  }

  /// Returns the insertion of a row.
  func row(_ table: String, _ id: String, _ fields: [String: WireValue]) -> Op {
    Op(.put, RowID(table: table, id: id), fields: fields, stamp: now)
  }

  /// Returns the insertion of a part of a note.
  func part(_ id: String, of note: String, _ text: String) -> Op {
    Op(
      .put, RowID(table: "parts", id: id),
      fields: [
        "list": WireValue(scope.value), "note": WireValue(note), "text": WireValue(text),
      ], stamp: now)
  }

  /// Returns another edit of a note.
  func edit(_ kind: Op.Kind, _ id: String, _ fields: [String: WireValue] = [:]) -> Op {
    Op(kind, RowID(table: "notes", id: id), fields: fields, stamp: now)
  }

  // MARK: - Messages

  /// Returns the next batch of the device.
  func batch(_ ops: [Op]) -> Batch {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    return Batch(scope, number: number, id: UUID(), ops: ops)
  }

  /// Returns a push of the next batch.
  func push(_ ops: [Op]) -> PushRequest { push(batch(ops)) }

  /// Returns a push of a batch.
  func push(_ batch: Batch) -> PushRequest {
    PushRequest(device: device, epoch: 0, manifestVersion: 1, batches: [batch])
  }

  /// Returns a pull of the scope.
  func pull(
    after seq: Int64 = 0, limit: Int = WireLimits.rowsPerPage, wantsDigests: Bool = false
  ) -> PullRequest {
    let cursor = PullCursor(
      scope, epoch: 0, position: .changes(after: seq), acknowledged: 0,
      wantsRangeDigests: wantsDigests)
    return PullRequest(
      device: device, manifestVersion: 1, grantsAfter: 0, cursors: [cursor], limit: limit)
  }

  /// Sends the edits, in as few pushes as they fit in, each of which has to be applied.
  func fill(_ server: AttackedServer, _ token: String, _ ops: [Op]) async throws {
    let port = server.port
    try await Threads.run { [self] in
      var rest = ops[...]
      while !rest.isEmpty {
        var (count, bytes) = (0, 0)
        for op in rest.prefix(WireLimits.opsPerPush) {
          bytes += op.fields.values.reduce(200) { $0 + $1.byteCount }
          guard count == 0 || bytes < 7 << 20 else { break }
          count += 1
        }
        let call = try Call.message(push(Array(rest.prefix(count))), to: "v1/push", token: token)
        let results = try call.send(to: port).message(PushResponse.self).results
        guard case .applied? = results.first?.outcome else {
          throw Unanswered(description: "The data is refused: \(results)")
        }
        rest = rest.dropFirst(count)
      }
    }
  }
}
