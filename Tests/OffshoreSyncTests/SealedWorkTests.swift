import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

/// Random work on a device, whose sealed batches a server's merge applies one after the other.
struct SealedWorkTests {
  @Test(arguments: 1...20) func `The server gets the device's values`(_ seed: UInt64) throws {
    let device = try TestDevice()
    try device.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')", "INSERT INTO charters VALUES ('c2', 'Luna')")
    var random = SeededRandom(seed: seed)
    var replica = try Replica(device.outbox.schema.manifest)
    // The tasks' parents are not deleted.
    for batch in try device.sealAll() { try replica.take(batch) }
    for _ in 0..<60 {
      try device.connection.write { writer in
        for _ in 0..<Int.random(in: 1...3, using: &random) { try change(writer, &random) }
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        for batch in try device.seal(ops: 12) { try replica.take(batch) }
      }
      if Int.random(in: 0..<10, using: &random) == 0, let last = try device.transactions().last {
        _ = try device.cancelTransaction(last)
      }
    }
    for batch in try device.sealAll() { try replica.take(batch) }
    #expect(replica.refused == [])
    #expect(replica.tasks == (try device.taskValues()))
    #expect(try device.number("SELECT count(*) FROM _dead") == 0)
  }

  /// Runs a random statement on one of four tasks.
  private func change(_ writer: Writer, _ random: inout SeededRandom) throws {
    let id = "t\(Int.random(in: 1...4, using: &random))"
    let number = Int.random(in: 0...9, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try Task(id, in: "c1", title: "\(number)").save(writer)
    case 1: try SQL("DELETE FROM tasks WHERE id = \(id)").run(writer)
    case 2: try SQL("UPDATE tasks SET title = \("\(number)") WHERE id = \(id)").run(writer)
    case 3: try SQL("UPDATE tasks SET votes = votes + \(number) WHERE id = \(id)").run(writer)
    case 4:
      let scope = "c\(1 + number % 2)"
      try SQL("UPDATE tasks SET charterID = \(scope), votes = 1 WHERE id = \(id)").run(writer)
    case 5:
      let items = #"{"k\#(number % 3)":\#(number)}"#
      try SQL("UPDATE tasks SET items = \(items) WHERE id = \(id)").run(writer)
    case 6:
      try SQL(
        """
        INSERT OR REPLACE INTO tasks VALUES (
          \(id), 'c2', \("\(number)"), NULL, 0.1, \(number), '{"k0":1,"k1":2}', 1)
        """
      ).run(writer)
    default: try SQL("UPDATE tasks SET hours = \(number), note = NULL").run(writer)
    }
  }
}

/// A server's state after batches, in memory.
private struct Replica {
  private let manifest: Manifest
  private let merge: Merge
  private var rows: [ScopeID: [RowID: RowState]] = [:]
  private(set) var refused: [String] = []
  private var last: [ScopeID: Int64] = [:]

  init(_ manifest: Manifest) throws {
    self.manifest = manifest
    merge = try Merge(manifest)
  }

  mutating func take(_ batch: Batch) throws {
    #expect(batch.number == last[batch.scope, default: 0] + 1)
    last[batch.scope] = batch.number
    for op in batch.ops { take(op, in: batch.scope) }
  }

  private mutating func take(_ op: Op, in scope: ScopeID) {
    let before = rows[scope]?[op.row]
    guard case .merged(let row) = merge.apply(op, to: before), row.conflicts.isEmpty else {
      refused.append("\(op.kind) \(op.row) \(op.generation) of \(before?.generation ?? 0)")
      return
    }
    rows[scope, default: [:]][op.row] = row.state
    guard case .move(let target) = op.kind, let carried = row.carried else { return }
    take(.arrival(of: op, carrying: carried, in: rows[target]?[op.row]), in: target)
  }

  /// The living tasks' values by column, by id.
  var tasks: [String: [String: WireValue]] {
    var tasks: [String: [String: WireValue]] = [:]
    for (row, state) in rows.values.joined() where row.table == "tasks" && state.isLiving {
      #expect(tasks[row.id] == nil)
      for column in manifest["tasks"]?.columns ?? [] {
        tasks[row.id, default: [:]][column.name] = column.value(of: state.fields)
      }
    }
    return tasks
  }
}

extension TestDevice {
  /// Returns the tasks' synced values by column, by id.
  fileprivate func taskValues() throws -> [String: [String: WireValue]] {
    let rows = try connection.read { try Task.all.all($0) }
    return Dictionary(
      uniqueKeysWithValues: rows.map { task in
        (
          task.id,
          [
            "charterID": WireValue(task.charterID), "title": WireValue(task.title),
            "note": task.note.map { WireValue($0) } ?? .null,
            "hours": task.hours.map { .real($0) } ?? .null, "votes": .integer(Int64(task.votes)),
            "items": task.items.map { WireValue($0) } ?? .null,
          ]
        )
      })
  }
}
