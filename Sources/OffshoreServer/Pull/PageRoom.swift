import OffshoreWire

/// The bytes that are left in the answer to a pull.
///
/// Rows and conflicts have one budget; range digests and the results of batches have another. A
/// device needs the latter with its last page, however many rows came before. The first entry of
/// each budget always fits, so that every page makes progress. After the first row or conflict that
/// does not fit, no further one is read.
struct PageRoom {
  /// Enough for the range digests of all scopes in a pull and the results of a few thousand
  /// batches. Together with the rows of a page, this is less than the largest body.
  static let reportBytes = 5 << 19

  private var contents: Space
  private var reports: Space

  /// - Parameters:
  ///   - bytes: the bytes for rows and conflicts.
  ///   - reportBytes: the bytes for range digests and the results of batches.
  init(bytes: Int, reportBytes: Int = Self.reportBytes) {
    contents = Space(bytes: bytes)
    reports = Space(bytes: reportBytes)
  }

  /// Whether no more rows and conflicts fit, so that the rest is left for the next page.
  var isFull: Bool { contents.isFull }

  /// About how many bytes of rows or conflicts are worth reading at once.
  var bytesToRead: Int {
    contents.isEmpty ? WireLimits.rowBytes : min(max(contents.bytes, 1), WireLimits.rowBytes)
  }

  /// Reserves room for a row, and returns whether it fits. A row that is only looked at takes room
  /// too, because it is as much work.
  mutating func reserve(_ row: StoredRow) -> Bool { contents.reserve(Self.byteCount(of: row)) }

  /// Reserves room for a conflict, and returns whether it fits.
  mutating func reserve(_ conflict: NumberedConflict) -> Bool {
    contents.reserve(Self.byteCount(of: conflict.conflict))
  }

  /// Reserves room for the result of a batch, and returns whether it fits.
  mutating func reserve(_: DecidedBatch) -> Bool {
    reports.reserve(DecidedBatch.leastByteCount + 8)
  }

  /// Reserves room for the range digests of a scope, and returns whether they fit.
  mutating func reserveRangeDigests() -> Bool { reports.reserve(RangeDigests.leastByteCount) }

  /// A budget of bytes.
  private struct Space {
    var bytes: Int
    var isEmpty = true
    private var hasRefused = false

    init(bytes: Int) { self.bytes = bytes }

    /// Whether something did not fit, or nothing more can.
    var isFull: Bool { hasRefused || !isEmpty && bytes <= 0 }

    mutating func reserve(_ size: Int) -> Bool {
      guard isEmpty || size <= bytes else {
        hasRefused = true
        return false
      }
      bytes -= size
      isEmpty = false
      return true
    }
  }

  /// Estimates the size of a row in a page: its id, stamp and numbers, and each field with its
  /// marks.
  private static func byteCount(of row: StoredRow) -> Int {
    let stampBytes = Stamp.leastByteCount
    let fields = row.fields.reduce(0) { sum, field in
      let name = field.name.utf8
      return sum + field.value.byteCount + (name.contains(point) ? name.count : 0) + 2
    }
    return row.row.id.utf8.count + 12 + fields + stampBytes * (1 + row.versionCount)
  }

  /// Estimates the size of a conflict in a page, with the names of its table and field.
  private static func byteCount(of conflict: Conflict) -> Int {
    let names = conflict.row.table.utf8.count + conflict.row.id.utf8.count
    let values = conflict.losing.byteCount + (conflict.winning?.byteCount ?? 0)
    return names + conflict.field.utf8.count + values + 2 * Stamp.leastByteCount + 12
  }

  /// The separator between a column and the key of a field. A name without it is a column, which a
  /// page names only once.
  private static let point = UInt8(ascii: ".")
}
