/// The encoding has the generation, the presence, the stamp, then the fields with their versions.
///
/// A server may store rows in this encoding, in a column of its own.
extension RowState: WireCodable {
  public static var leastByteCount: Int { 27 }

  public func encode(into writer: inout WireWriter) {
    writer.signed(generation)
    writer.byte(presence.rawValue)
    stamp.encode(into: &writer)
    FieldWriter.write(fields, versions, to: &writer)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    var fields: [String: WireValue] = [:]
    var versions: [String: Stamp] = [:]
    let head = try Self.read(from: &reader) { count in
      fields.reserveCapacity(count)
    } field: { name, version, value in
      if let version { versions[name] = version }
      fields[name] = value
    }
    self.init(
      generation: head.generation, presence: head.presence, stamp: head.stamp, fields: fields,
      versions: versions)
  }

  /// The properties that are encoded before the fields.
  struct Head: Hashable, Sendable {
    let generation: Int64
    let presence: Presence
    let stamp: Stamp
  }

  /// Parses a row, its fields one after the other.
  /// - Parameters:
  ///   - start: a closure that receives the number of fields.
  ///   - field: a closure that receives the name, the version and the value of each.
  @inline(__always)
  static func read(
    from reader: inout WireReader, start: (Int) -> Void,
    field: (String, Stamp?, WireValue) -> Void
  ) throws(WireError) -> Head {
    let generation = try reader.counted()
    guard let presence = Presence(rawValue: try reader.byte()) else {
      throw reader.malformed("A row is neither there, deleted, nor moved.")
    }
    let stamp = try Stamp(from: &reader)
    var (isEmpty, repeatsStamp) = (true, false)
    try FieldReader.read(from: &reader) { count in
      isEmpty = count == 0
      start(count)
    } field: { name, version, value in
      if version == stamp { repeatsStamp = true }
      field(name, version, value)
    }
    guard presence == .living || isEmpty else {
      throw reader.malformed("A row that is not there has fields.")
    }
    guard !repeatsStamp else { throw reader.malformed("A field has the version of its row.") }
    return Head(generation: generation, presence: presence, stamp: stamp)
  }
}

/// The encoding has the row, the generation, the kind, the stamp, then the fields with their base
/// versions. A deletion, which writes no fields, has NULL with each base version.
extension Op: WireCodable {
  public static var leastByteCount: Int { 29 }

  public func encode(into writer: inout WireWriter) {
    row.encode(into: &writer)
    writer.signed(generation)
    kind.encode(into: &writer)
    stamp.encode(into: &writer)
    let seen = kind == .delete ? base.mapValues { _ in WireValue.null } : [:]
    FieldWriter.write(
      seen.isEmpty ? fields : fields.merging(seen) { value, _ in value }, base, to: &writer)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    let row = try RowID(from: &reader)
    let generation = try reader.counted()
    let kind = try Kind(from: &reader)
    let stamp = try Stamp(from: &reader)
    let read = try FieldReader(from: &reader)
    self.init(
      kind, row, generation: generation, fields: read.fields, base: read.stamps, stamp: stamp)
  }
}

/// The encoding has a number for the kind, and the scope of a move.
extension Op.Kind: WireCodable {
  public func encode(into writer: inout WireWriter) {
    switch self {
    case .put: writer.byte(1)
    case .patch: writer.byte(2)
    case .delete: writer.byte(3)
    case .increment: writer.byte(4)
    case .move(let scope):
      writer.byte(5)
      scope.encode(into: &writer)
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .put
    case 2: self = .patch
    case 3: self = .delete
    case 4: self = .increment
    case 5: self = .move(to: try ScopeID(from: &reader))
    default: throw reader.malformed("An op is of no known kind.")
    }
  }
}

/// The encoding has the code, the message, then the optional row and field.
extension Rejection: WireCodable {
  public static var leastByteCount: Int { 4 }

  public func encode(into writer: inout WireWriter) {
    writer.text(code.rawValue)
    writer.text(message)
    writer.optional(row)
    writer.flag(field != nil)
    if let field { writer.text(field) }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(
      Code(rawValue: try reader.name()), try reader.text(), row: try reader.optional(),
      field: try reader.flag() ? try reader.name() : nil)
  }
}
