import OffshoreWire

/// How much more fits into an answer.
///
/// What is told beside the rows has room of its own: a device needs it with the page that is not full,
/// however many rows came before. What comes first always fits, so that pages go on.
struct PageRoom {
  /// The sums of the ranges of all scopes that a pull may ask for, and what became of some thousand
  /// batches. With as many bytes of rows as pages have it is still less than a body.
  static let noteBytes = 5 << 19

  private var contents: Space
  private var notes: Space

  /// - Parameters:
  ///   - bytes: the bytes of rows and conflicts.
  ///   - noteBytes: the bytes of what is told beside them.
  init(bytes: Int, noteBytes: Int = Self.noteBytes) {
    contents = Space(bytes: bytes)
    notes = Space(bytes: noteBytes)
  }

  /// Takes room for a row, unless there is none.
  mutating func take(_ row: KeptRow) -> Bool { contents.take(Self.byteCount(of: row)) }

  /// Takes room for a conflict, unless there is none.
  mutating func take(_ conflict: NumberedConflict) -> Bool {
    contents.take(Self.byteCount(of: conflict.conflict))
  }

  /// Takes room for what became of a batch, unless there is none.
  mutating func take(_: DecidedBatch) -> Bool { notes.take(DecidedBatch.leastByteCount + 8) }

  /// Takes room for the sums of a scope's ranges, unless there is none.
  mutating func takeRangeDigests() -> Bool { notes.take(RangeDigests.leastByteCount) }

  /// Bytes that are taken one after the other.
  private struct Space {
    var bytes: Int
    var isEmpty = true

    mutating func take(_ size: Int) -> Bool {
      guard isEmpty || size <= bytes else { return false }
      bytes -= size
      isEmpty = false
      return true
    }
  }

  /// About the bytes that a row takes: an id, a stamp and numbers, and each field with its mark.
  private static func byteCount(of row: KeptRow) -> Int {
    let stampBytes = Stamp.leastByteCount
    let fields = row.fields.reduce(0) { sum, field in
      let name = field.name.utf8
      return sum + field.value.byteCount + (name.contains(point) ? name.count : 0) + 2
    }
    return row.row.id.utf8.count + 12 + fields + stampBytes * (1 + row.versionCount)
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
