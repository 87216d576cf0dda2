/// The encoding has the name, the kinds of values as runs, then the contents of the values.
extension TablePage.Column {
  /// The tag of a row that does not have the column.
  private static let missing: UInt8 = 0

  func encode(into writer: inout WireWriter) {
    writer.text(name)
    writer.runs(values.lazy.map { $0?.tag.rawValue ?? Self.missing })
    for value in values { value?.encodeContent(into: &writer) }
  }

  /// Parses a column with a known number of rows.
  init(rowCount: Int, from reader: inout WireReader) throws(WireError) {
    name = try reader.name()
    guard !FieldName.isKey(name) else { throw reader.malformed("A column is named like a key.") }
    var runs: [(tag: UInt8, count: Int)] = []
    try reader.runs(rowCount) { (tag, count, _) throws(WireError) in runs.append((tag, count)) }
    guard runs.contains(where: { $0.tag != Self.missing }) else {
      throw reader.malformed("A column has no value in any row.")
    }
    values = []
    values.reserveCapacity(rowCount)
    for run in runs { try append(run.tag, run.count, from: &reader) }
  }

  private mutating func append(
    _ tag: UInt8, _ count: Int, from reader: inout WireReader
  ) throws(WireError) {
    guard tag != Self.missing else {
      return values.append(contentsOf: repeatElement(nil, count: count))
    }
    guard let tag = WireValue.Tag(rawValue: tag) else {
      throw reader.malformed("A column has values of no known kind.")
    }
    for _ in 0..<count { values.append(try WireValue(tag, from: &reader)) }
  }
}
