import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension TestDevice {
  /// The default time of a test's clock.
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

  /// Seals until no captured change is left.
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

  /// Returns the numbers of the captured transactions.
  func transactions() throws -> [Int64] { try connection.read { try outbox.transactions($0) } }

  /// Returns all rows of the tasks as SQL literals.
  func tasks() throws -> [String] {
    try texts(
      """
      SELECT quote(id) || quote(charterID) || quote(title) || quote(note) || quote(hours)
        || quote(votes) || quote(items) || quote(isOpen) FROM tasks ORDER BY id
      """)
  }
}

extension [Batch] {
  /// A line for each op: kind, row, generation, and the names of the fields.
  var lines: [String] {
    flatMap(\.ops).map { op in
      let kind =
        if case .move(let scope) = op.kind { "move to \(scope.value)" } else { "\(op.kind)" }
      let fields = op.fields.keys.sorted().map { " \($0)" }.joined()
      return "\(kind) \(op.row.id)@\(op.generation)\(fields)"
    }
  }

  /// The only op, or `nil` if there are none or several.
  var op: Op? { count == 1 && self[0].ops.count == 1 ? self[0].ops[0] : nil }
}
