import OffshoreWire

/// How much more fits into an answer.
struct PageRoom {
  private var bytes: Int
  private var isEmpty = true

  init(bytes: Int) { self.bytes = bytes }

  /// Takes room for a row, unless there is none. What comes first always fits, so that pages go on.
  mutating func take(_ row: SyncedRow) -> Bool { take(Self.byteCount(of: row)) }

  /// Takes room for a conflict, unless there is none.
  mutating func take(_ conflict: NumberedConflict) -> Bool {
    take(Self.byteCount(of: conflict.conflict))
  }

  private mutating func take(_ size: Int) -> Bool {
    guard isEmpty || size <= bytes else { return false }
    bytes -= size
    isEmpty = false
    return true
  }

  /// About the bytes that a row takes: an id, a stamp and numbers, and each field with its mark.
  private static func byteCount(of row: SyncedRow) -> Int {
    let stampBytes = Stamp.leastByteCount
    let fields = row.state.fields.reduce(0) { sum, field in
      sum + field.value.byteCount + (field.key.utf8.contains(point) ? field.key.utf8.count : 0) + 2
    }
    return row.row.id.utf8.count + 12 + fields + stampBytes * (1 + row.state.versions.count)
  }

  /// About the bytes that a conflict takes: it names its table and field each time.
  private static func byteCount(of conflict: Conflict) -> Int {
    let names = conflict.row.table.utf8.count + conflict.row.id.utf8.count
    let values = conflict.losing.byteCount + (conflict.winning?.byteCount ?? 0)
    return names + conflict.field.utf8.count + values + 2 * Stamp.leastByteCount + 12
  }

  /// What sets the key of a field apart from its column. Columns are named once a page.
  private static let point = UInt8(ascii: ".")
}
