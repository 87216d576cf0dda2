import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension TestDevice {
  /// What the clock of a test shows, unless it says otherwise.
  static let now: Int64 = 1_000_000

  /// Seals once.
  func seal(at now: Int64 = now, ops: Int? = nil, bytes: Int? = nil) throws -> [Batch] {
    var limits = SealingLimits()
    if let ops { limits.ops = ops }
    if let bytes { limits.bytes = bytes }
    return try connection.write { writer in
      try outbox.seal(writer, at: now, limits: limits, makeID: nextID)
    }
  }

  /// Seals until nothing waits.
  func sealAll() throws -> [Batch] {
    var batches: [Batch] = []
    while try number("SELECT count(*) FROM _outbox") > 0 { batches += try seal() }
    return batches
  }

  func cancel(_ table: String, _ id: String) throws -> Bool {
    try connection.write { try outbox.cancel(RowID(table: table, id: id), $0) }
  }

  func cancelTransaction(_ number: Int64) throws -> Bool {
    try connection.write { try outbox.cancelTransaction(number, $0) }
  }

  /// The captured transactions.
  func transactions() throws -> [Int64] { try connection.read { try outbox.transactions($0) } }

  /// All rows of the tasks, with every value as SQL spells it.
  func tasks() throws -> [String] {
    try texts(
      """
      SELECT quote(id) || quote(charterID) || quote(title) || quote(note) || quote(hours)
        || quote(votes) || quote(items) || quote(isOpen) FROM tasks ORDER BY id
      """)
  }
}

extension [Batch] {
  /// The ops as a line each: kind, row, generation, and the names of the fields.
  var lines: [String] {
    flatMap(\.ops).map { op in
      let kind =
        if case .move(let scope) = op.kind { "move to \(scope.value)" } else { "\(op.kind)" }
      let fields = op.fields.keys.sorted().map { " \($0)" }.joined()
      return "\(kind) \(op.row.id)@\(op.generation)\(fields)"
    }
  }

  /// The only op.
  var op: Op? { count == 1 && self[0].ops.count == 1 ? self[0].ops[0] : nil }
}
