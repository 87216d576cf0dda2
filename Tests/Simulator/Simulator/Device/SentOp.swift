import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// The identity of an edit, independent of its sender and batch.
struct OpKey: Hashable {
  let row: RowID
  let kind: Op.Kind
  let stamp: Stamp

  init(_ op: Op) { (row, kind, stamp) = (op.row, op.kind, op.stamp) }
}

/// An edit with the scope in which it was sent.
struct SentOp {
  let scope: ScopeID
  let op: Op
}

extension RowID {
  /// The column of the row to which edits add.
  var counterColumn: String? {
    switch table {
    case "boards": "views"
    case "cards": "votes"
    case "memos": "count"
    default: nil
    }
  }

  var hasCounter: Bool { counterColumn != nil }
}

extension Op {
  /// The texts that the edit writes.
  var texts: [[UInt8]] {
    fields.values.compactMap { if case .text(let bytes) = $0 { bytes } else { nil } }
  }

  /// Whether the op inserts or changes a row in its first life.
  var isOfFirstLife: Bool {
    switch kind {
    case .put, .patch, .increment: generation == 1
    case .delete, .move: false
    }
  }

  /// The number that the edit adds to the row's counter.
  var count: Int64 {
    guard kind == .put || kind == .increment, let column = row.counterColumn,
      case .integer(let count)? = fields[column]
    else { return 0 }
    return count
  }
}

extension SimulatedDevice {
  /// Returns the refused edits.
  func deadOps() throws -> [Op] {
    try connection.read { reader in
      try SQL("SELECT op FROM _dead WHERE op NOT NULL").all(reader, as: Data.self)
        .map { try Op(decoding: Array($0)) }
    }
  }

  /// Returns the edits in batches that were not answered, or are postponed.
  func waitingOps() throws -> [Op] {
    try connection.read { reader in
      try SQL("SELECT content FROM _batch WHERE phase <> 1").all(reader, as: Data.self)
        .flatMap { try Batch(decoding: Array($0)).ops }
    }
  }

  /// Returns the scopes of the edits in such batches, by row.
  func scopesOfWaiting() throws -> [RowID: Set<String>] {
    try connection.read { reader in
      try SQL("SELECT content FROM _batch WHERE phase <> 1").all(reader, as: Data.self)
        .map { try Batch(decoding: Array($0)) }
        .reduce(into: [:]) { scopes, batch in
          for op in batch.ops { scopes[op.row, default: []].insert(batch.scope.text) }
        }
    }
  }

  /// Returns the rows with a refused change that could not be encoded as an edit.
  func rowsWithoutOps() throws -> Set<RowID> {
    let rows = try connection.read {
      try SQL("SELECT tbl, id FROM _dead WHERE op IS NULL AND code <> 'collision'")
        .all($0, as: String.self, String.self)
    }
    return Set(rows.map { RowID(table: $0, id: $1) })
  }

  /// Returns the texts in sealed batches, with their versions.
  func pendingTexts(_ reader: Reader) throws -> [[UInt8]: Stamp] {
    var texts: [[UInt8]: Stamp] = [:]
    for op in try replica.outbox.sealedBatches(reader).flatMap(\.ops) {
      for (field, value) in op.fields {
        if case .text(let bytes) = value { texts[bytes] = op.version(of: field) }
      }
    }
    return texts
  }

  /// Returns the texts in sealed batches of revoked scopes.
  func revokedTexts(_ reader: Reader) throws -> Set<[UInt8]> {
    let revoked = Set(
      try SQL("SELECT scope FROM _cursor WHERE role = 4").all(reader, as: String.self))
    let batches = try replica.outbox.sealedBatches(reader)
    let ops = batches.filter { revoked.contains($0.scope.text) }.flatMap(\.ops)
    return Set(
      ops.flatMap(\.fields.values).compactMap { value in
        if case .text(let bytes) = value { bytes } else { nil }
      })
  }
}
