/// The encoding has the table, then the rows by column: ids, numbers, generations, presences,
/// stamps, values.
///
/// Repeated values need few bytes: numbers are encoded as differences, kinds and presences as runs,
/// and each device once.
///
/// NB: Heads are accessed by their indices, because a loop over them copies each with its id.
extension TablePage: WireCodable {
  public static var leastByteCount: Int { 10 }

  public func encode(into writer: inout WireWriter) {
    writer.text(table)
    writer.count(count)
    for row in heads.indices { writer.text(heads[row].id) }
    encodeNumbers(into: &writer)
    writer.runs(heads.indices.lazy.map { heads[$0].presence.rawValue })
    var stamps = StampWriter()
    noteDevices(in: &stamps)
    writer.list(stamps.devices)
    for row in heads.indices { stamps.write(heads[row].stamp, to: &writer) }
    writer.count(columns.count)
    for column in columns { column.encode(into: &writer) }
    encodeParts(&stamps, into: &writer)
    encodeVersions(&stamps, into: &writer)
  }

  /// Encodes numbers and generations, each as the difference from the row before.
  private func encodeNumbers(into writer: inout WireWriter) {
    // NB: An invalid number may wrap around. It is refused when it is parsed.
    var last: Int64 = 0
    for row in heads.indices {
      writer.signed(heads[row].seq &- last)
      last = heads[row].seq
    }
    last = 0
    for row in heads.indices {
      writer.signed(heads[row].generation &- last)
      last = heads[row].generation
    }
  }

  private func noteDevices(in stamps: inout StampWriter) {
    for row in heads.indices { stamps.note(heads[row].stamp) }
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
