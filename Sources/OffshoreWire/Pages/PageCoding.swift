/// The table, then the rows column by column: ids, numbers, generations, presences, stamps, values.
///
/// What is the same in many rows takes next to no bytes: numbers are written as differences, kinds and
/// presences in runs, and devices once.
extension TablePage: WireCodable {
  public static var leastByteCount: Int { 10 }

  public func encode(into writer: inout WireWriter) {
    writer.text(table)
    writer.count(count)
    for head in heads { writer.text(head.id) }
    encodeNumbers(into: &writer)
    writer.runs(heads.lazy.map(\.presence.rawValue))
    var stamps = StampWriter()
    noteDevices(in: &stamps)
    writer.list(stamps.devices)
    for head in heads { stamps.write(head.stamp, to: &writer) }
    writer.count(columns.count)
    for column in columns { column.encode(into: &writer) }
    encodeParts(&stamps, into: &writer)
    encodeVersions(&stamps, into: &writer)
  }

  /// Numbers and generations, each as the difference from the row before.
  private func encodeNumbers(into writer: inout WireWriter) {
    for path in [\Head.seq, \Head.generation] {
      var last: Int64 = 0
      for head in heads {
        let number = head[keyPath: path]
        // NB: One that is no number of a row may wrap around. It is refused when it is read.
        writer.signed(number &- last)
        last = number
      }
    }
  }

  private func noteDevices(in stamps: inout StampWriter) {
    for head in heads { stamps.note(head.stamp) }
    for part in parts {
      if let version = part.version { stamps.note(version) }
    }
    for version in versions { stamps.note(version.stamp) }
  }

  private func encodeParts(_ stamps: inout StampWriter, into writer: inout WireWriter) {
    writer.count(parts.count)
    var row = 0
    for part in parts {
      writer.count(part.row - row)
      row = part.row
      writer.text(part.field)
      writer.flag(part.version != nil)
      if let version = part.version { stamps.write(version, to: &writer) }
      part.value.encode(into: &writer)
    }
  }

  private func encodeVersions(_ stamps: inout StampWriter, into writer: inout WireWriter) {
    writer.count(versions.count)
    var row = 0
    for version in versions {
      writer.count(version.row - row)
      row = version.row
      writer.count(version.column)
      stamps.write(version.stamp, to: &writer)
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self = try PageReading(from: &reader).page
  }
}
