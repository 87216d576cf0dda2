/// The parser for the encoding of ``TablePage/encode(into:)``, step by step.
struct TablePageParser {
  private(set) var page: TablePage
  private var stamps = StampReader([])

  /// The minimum number of bytes of a row: an id, a number, a generation, and a stamp.
  private static let leastRowBytes = 6

  init(from reader: inout WireReader) throws(WireError) {
    page = TablePage(table: try reader.name())
    try parseHeads(&reader)
    try parseColumns(&reader)
    try parseParts(&reader)
    try parseVersions(&reader)
    try stamps.finish(reader)
  }

  private mutating func parseHeads(_ reader: inout WireReader) throws(WireError) {
    let count = try reader.count(ofAtLeast: Self.leastRowBytes)
    guard 1...WireLimits.rowsPerPage ~= count else {
      throw reader.malformed("A page has no rows of a table, or more than are allowed.")
    }
    var ids: [String] = []
    ids.reserveCapacity(count)
    for _ in 0..<count { ids.append(try reader.name()) }
    let seqs = try Self.numbers(count, &reader)
    let generations = try Self.numbers(count, &reader)
    let presences = try Self.presences(count, &reader)
    stamps = StampReader(try reader.list())
    page.heads.reserveCapacity(count)
    for row in 0..<count {
      page.heads.append(
        TablePage.Head(
          id: ids[row], seq: seqs[row], generation: generations[row], presence: presences[row],
          stamp: try stamps.read(&reader)))
    }
  }

  private static func numbers(
    _ count: Int, _ reader: inout WireReader
  ) throws(WireError) -> [Int64] {
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    var last: Int64 = 0
    for _ in 0..<count {
      last &+= try reader.signed()
      guard 0...WireLimits.number ~= last else {
        throw reader.malformed("A row has a number that nothing is counted with.")
      }
      numbers.append(last)
    }
    return numbers
  }

  private static func presences(
    _ count: Int, _ reader: inout WireReader
  ) throws(WireError) -> [RowState.Presence] {
    var presences: [RowState.Presence] = []
    presences.reserveCapacity(count)
    try reader.runs(count) { (value, length, reader) throws(WireError) in
      guard let presence = RowState.Presence(rawValue: value) else {
        throw reader.malformed("A row is neither there, deleted, nor moved.")
      }
      presences.append(contentsOf: repeatElement(presence, count: length))
    }
    return presences
  }

  private mutating func parseColumns(_ reader: inout WireReader) throws(WireError) {
    // At least a name, a run, and one value.
    let count = try reader.count(ofAtLeast: 3)
    guard count <= WireLimits.columns else {
      throw WireError(.tooLarge, "A table has too many columns.", offset: reader.offset)
    }
    try reader.reserveCells(count * page.count)
    page.columns.reserveCapacity(count)
    for _ in 0..<count {
      page.addColumn(try TablePage.Column(rowCount: page.count, from: &reader))
    }
    guard Set(page.columns.map(\.name)).count == count else {
      throw reader.malformed("A column stands twice in a page.")
    }
    for (row, head) in page.heads.enumerated() where head.presence != .living {
      guard page.columns.allSatisfy({ $0.values[row] == nil }) else {
        throw reader.malformed("A row that is not there has fields.")
      }
    }
  }

  private mutating func parseParts(_ reader: inout WireReader) throws(WireError) {
    // A difference of rows, a name with its length, a flag, and a value.
    let count = try reader.count(ofAtLeast: 5)
    page.parts.reserveCapacity(count)
    for _ in 0..<count {
      let row = try row(after: page.parts.last?.row, &reader)
      let field = try reader.name()
      guard FieldName.isKey(field), page.heads[row].presence == .living else {
        throw reader.malformed("A key is named like a column, or of a row that is not there.")
      }
      if let last = page.parts.last, last.row == row, last.field >= field {
        throw reader.malformed("Keys are not in the order of their names.")
      }
      let version = try reader.flag() ? try version(of: row, &reader) : nil
      page.parts.append(
        TablePage.Part(row: row, field: field, value: try reader.value(), version: version))
    }
  }

  private mutating func parseVersions(_ reader: inout WireReader) throws(WireError) {
    // A difference of rows, a column, and a stamp.
    let count = try reader.count(ofAtLeast: 5)
    page.versions.reserveCapacity(count)
    for _ in 0..<count {
      let row = try row(after: page.versions.last?.row, &reader)
      let column = try reader.number()
      guard column < UInt64(page.columns.count), page.columns[Int(column)].values[row] != nil else {
        throw reader.malformed("A version is of a value that the row does not have.")
      }
      if let last = page.versions.last, last.row == row, last.column >= Int(column) {
        throw reader.malformed("Versions are not in the order of their columns.")
      }
      page.versions.append(
        TablePage.Version(row: row, column: Int(column), stamp: try version(of: row, &reader)))
    }
  }

  private func row(after last: Int?, _ reader: inout WireReader) throws(WireError) -> Int {
    let (row, difference) = (last ?? 0, try reader.number())
    guard difference < UInt64(page.count - row) else {
      throw reader.malformed("Something is of a row that the page does not have.")
    }
    return row + Int(difference)
  }

  private mutating func version(
    of row: Int, _ reader: inout WireReader
  ) throws(WireError) -> Stamp {
    let stamp = try stamps.read(&reader)
    guard stamp != page.heads[row].stamp else {
      throw reader.malformed("A field has the version of its row.")
    }
    return stamp
  }
}

/// The encoding of bytes that often repeat: each run of equal bytes as the byte and its length.
extension WireWriter {
  mutating func runs(_ values: some Collection<UInt8>) {
    var index = values.startIndex
    while index < values.endIndex {
      let value = values[index]
      let end = values[index...].firstIndex { $0 != value } ?? values.endIndex
      byte(value)
      count(values.distance(from: index, to: end))
      index = end
    }
  }
}

extension WireReader {
  /// Parses runs until they have a number of bytes in total.
  /// - Parameters:
  ///   - count: the number of bytes.
  ///   - body: a closure that receives the byte and the length of each run.
  mutating func runs(
    _ count: Int, _ body: (UInt8, Int, inout WireReader) throws(WireError) -> Void
  ) throws(WireError) {
    var rest = count
    var last: UInt8?
    while rest > 0 {
      let value = try byte()
      let length = try number()
      guard value != last, 1...UInt64(rest) ~= length else {
        throw malformed("A run of equal values does not fit.")
      }
      try body(value, Int(length), &self)
      rest -= Int(length)
      last = value
    }
  }
}
