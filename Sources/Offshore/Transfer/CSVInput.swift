/// The records of a file of comma-separated values (<https://www.rfc-editor.org/rfc/rfc4180>).
final class CSVInput {
  /// A value of a record, as a range of the record's bytes.
  struct Field {
    let range: Range<Int>
    let isQuoted: Bool
  }

  /// The bytes of all values of the current record, without their quotes.
  private(set) var bytes: [UInt8] = []
  /// The values of the current record.
  private(set) var fields: [Field] = []
  /// The line on which the current record begins, from 1.
  private(set) var line = 1
  private let input: ByteInput

  init(_ input: ByteInput) { self.input = input }

  /// Reads the next record.
  ///
  /// - Parameter limit: The maximum number of values that the record may have.
  /// - Returns: Whether there is a record.
  /// - Throws: ``DatabaseError`` with code `invalidValue` if the text is not CSV.
  func readRecord(limit: Int) throws -> Bool {
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    line = input.line
    guard try input.peek() != nil else { return false }
    repeat {
      guard fields.count < limit else {
        throw problem("has more than \(limit) values. Put a value with a comma in quotes")
      }
      try readField()
    } while try !endsRecord()
    return true
  }

  /// Whether the current record is an empty line.
  var isBlank: Bool { fields.count == 1 && bytes.isEmpty && !fields[0].isQuoted }

  /// Returns the bytes of a value.
  func bytes(of field: Field) -> ArraySlice<UInt8> { bytes[field.range] }

  private func readField() throws {
    let start = bytes.count
    let isQuoted = try input.peek() == 0x22
    if isQuoted { try readQuoted() } else { try readPlain() }
    fields.append(Field(range: start..<bytes.count, isQuoted: isQuoted))
  }

  private func readPlain() throws {
    while let byte = try input.peek(), byte != 0x2C, byte != 0x0A, byte != 0x0D {
      guard byte != 0x22 else {
        throw problem(
          "has a quote within a value without quotes. Put the value in quotes, and write two for one"
        )
      }
      try input.consume(into: &bytes) { $0 != 0x2C && $0 != 0x0D && $0 != 0x22 }
      try checkLength()
    }
  }

  private func readQuoted() throws {
    let start = input.line
    _ = try input.next()
    while let byte = try input.next() {
      if byte == 0x22 {
        guard try input.peek() == 0x22 else { return }
        _ = try input.next()
      }
      bytes.append(byte)
      try input.consume(into: &bytes, before: 0x22)
      try checkLength()
    }
    throw problem("has a quote on line \(start) that is not closed. Close it")
  }

  /// Consumes the separator of two values or two records.
  /// - Returns: Whether the record has ended.
  private func endsRecord() throws -> Bool {
    switch try input.next() {
    case nil, 0x0A: return true
    case 0x2C: return false
    case 0x0D:
      guard let next = try input.peek() else { return true }
      guard next == 0x0A else {
        throw problem(
          "has a carriage return without a line feed. End lines by both, or put the value in quotes"
        )
      }
      _ = try input.next()
      return true
    default:
      throw problem("goes on after a quote was closed. Write two quotes for one within a value")
    }
  }

  private func checkLength() throws {
    guard bytes.count > TransferLimit.rowLength else { return }
    throw DatabaseError.rowTooLong("Line \(line)", "Check that its quotes are closed.")
  }

  private func problem(_ reason: String) -> DatabaseError {
    DatabaseError(.invalidValue, "Line \(line) \(reason).")
  }
}
