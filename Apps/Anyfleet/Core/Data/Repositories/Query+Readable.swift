import Offshore

extension Query {
  /// All rows that can be read.
  ///
  /// Where all can, that is one query. Where not, halves are tried until those that cannot stand
  /// alone.
  /// - Throws: `DatabaseError` for all that is not a value that does not fit its column.
  func readable(_ reader: Reader) throws -> ReadableRows<Row> {
    do {
      return ReadableRows(rows: try all(reader))
    } catch let error as DatabaseError where error.code == .invalidValue {
      return try readable(reader, 0..<count(reader))
    }
  }

  /// The rows that can be read of a number of rows from a place on.
  ///
  /// - Precondition: the query has no limit and no offset.
  /// - Throws: `DatabaseError` as ``readable(_:)`` does.
  func readable(_ reader: Reader, from start: Int, count: Int) throws -> ReadableRows<Row> {
    do {
      return ReadableRows(rows: try limit(count).offset(start).all(reader))
    } catch let error as DatabaseError where error.code == .invalidValue {
      let total = try self.count(reader)
      return try readable(reader, start..<(start + Swift.min(count, total - start)))
    }
  }

  private func readable(_ reader: Reader, _ range: Range<Int>) throws -> ReadableRows<Row> {
    do {
      return ReadableRows(rows: try limit(range.count).offset(range.lowerBound).all(reader))
    } catch let error as DatabaseError where error.code == .invalidValue {
      guard range.count > 1 else { return ReadableRows(unreadable: [RepositoryError(error)]) }
      let middle = range.lowerBound + range.count / 2
      let first = try readable(reader, range.lowerBound..<middle)
      let second = try readable(reader, middle..<range.upperBound)
      return ReadableRows(
        rows: first.rows + second.rows, unreadable: first.unreadable + second.unreadable)
    }
  }
}
