/// The encoder for the fields of an op or a row, sorted by name, each with its value and an
/// optional stamp.
struct FieldWriter {
  /// The byte before a stamp.
  enum Mark: UInt8 {
    case absent
    case stamp
    /// The same stamp as the last one that was written.
    case repeated
  }

  static func write(
    _ fields: [String: WireValue], _ stamps: [String: Stamp], to writer: inout WireWriter
  ) {
    writer.count(fields.count)
    var last: Stamp?
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      writer.text(name)
      write(stamps[name], after: &last, to: &writer)
      value.encode(into: &writer)
    }
  }

  static func write(_ stamp: Stamp?, after last: inout Stamp?, to writer: inout WireWriter) {
    guard let stamp else { return writer.byte(Mark.absent.rawValue) }
    guard stamp != last else { return writer.byte(Mark.repeated.rawValue) }
    last = stamp
    writer.byte(Mark.stamp.rawValue)
    stamp.encode(into: &writer)
  }
}

/// The parser for the fields that ``FieldWriter`` encodes.
struct FieldReader {
  private(set) var fields: [String: WireValue] = [:]
  private(set) var stamps: [String: Stamp] = [:]

  /// The minimum number of bytes of a field: a name, a mark and a value.
  private static let leastByteCount = 3

  init(from reader: inout WireReader) throws(WireError) {
    var fields: [String: WireValue] = [:]
    var stamps: [String: Stamp] = [:]
    try Self.parse(from: &reader) { count in
      fields.reserveCapacity(count)
    } field: { name, stamp, value in
      if let stamp { stamps[name] = stamp }
      fields[name] = value
    }
    (self.fields, self.stamps) = (fields, stamps)
  }

  /// Parses the fields one after the other.
  /// - Parameters:
  ///   - start: a closure that receives the number of fields.
  ///   - field: a closure that receives the name, the stamp and the value of each.
  @inline(__always)
  static func parse(
    from reader: inout WireReader, start: (Int) -> Void,
    field: (String, Stamp?, WireValue) -> Void
  ) throws(WireError) {
    let count = try reader.count(ofAtLeast: Self.leastByteCount)
    try reader.reserveFields(count)
    start(count)
    var (last, lastName): (Stamp?, String?)
    for _ in 0..<count {
      let name = try reader.name()
      if let lastName, lastName >= name {
        throw reader.malformed("Fields are not in the order of their names.")
      }
      lastName = name
      let stamp = try stamp(from: &reader, after: &last)
      field(name, stamp, try WireValue(from: &reader))
    }
  }

  private static func stamp(
    from reader: inout WireReader, after last: inout Stamp?
  ) throws(WireError) -> Stamp? {
    switch FieldWriter.Mark(rawValue: try reader.byte()) {
    case .absent: return nil
    case .repeated:
      guard let last else { throw reader.malformed("A stamp repeats one that is missing.") }
      return last
    case .stamp:
      let stamp = try Stamp(from: &reader)
      guard stamp != last else { throw reader.malformed("A stamp is spelled out again.") }
      last = stamp
      return stamp
    case nil: throw reader.malformed("A stamp is marked in no known way.")
    }
  }
}
