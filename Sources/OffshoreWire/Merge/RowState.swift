/// The state of a row: its generation, its fields, and their versions.
public struct RowState: Hashable, Sendable {
  /// Whether a row exists, or the reason why it does not.
  public enum Presence: UInt8, Hashable, Sendable {
    /// The row exists.
    case living
    /// The row was deleted.
    case deleted
    /// The row was moved to another scope.
    case moved
  }

  /// The generation: 1 after the first insertion, and one more after each deletion and later
  /// insertion.
  public internal(set) var generation: Int64
  /// Whether the row exists, or why it does not.
  public internal(set) var presence: Presence
  /// The stamp of the insertion or deletion, and the version of each field that has none of its
  /// own.
  public internal(set) var stamp: Stamp
  /// The values, by field. A tombstone has none.
  public internal(set) var fields: [String: WireValue]
  /// The versions of the fields whose version differs from ``stamp``.
  public internal(set) var versions: [String: Stamp]

  /// Creates a state. Versions of missing fields, and versions equal to the stamp, are left out.
  public init(
    generation: Int64 = 1, presence: Presence = .living, stamp: Stamp,
    fields: [String: WireValue] = [:], versions: [String: Stamp] = [:]
  ) {
    self.generation = generation
    self.presence = presence
    self.stamp = stamp
    self.fields = presence == .living ? fields : [:]
    self.versions = versions
    removeRedundantVersions()
  }

  /// Whether the row exists.
  public var isLiving: Bool { presence == .living }

  /// Returns the version of a field, or `nil` if the row does not have the field.
  public func version(of field: String) -> Stamp? {
    versions[field] ?? (fields[field] == nil ? nil : stamp)
  }

  /// The version of each field, as the base of a deletion.
  ///
  /// It is empty if the row has more fields, or longer names of fields, than an op can have.
  package var deletionBase: [String: Stamp] {
    guard fields.count <= WireLimits.fieldsPerOp,
      fields.keys.allSatisfy({ $0.utf8.count <= WireLimits.fieldNameBytes })
    else { return [:] }
    return fields.reduce(into: [:]) { $0[$1.key] = version(of: $1.key) }
  }

  /// Sets the value and the version of a field.
  mutating func set(_ field: String, _ value: WireValue, _ version: Stamp) {
    fields[field] = value
    versions[field] = version == stamp ? nil : version
  }

  /// Sets the stamp of a later insertion. The fields retain their versions.
  mutating func raiseStamp(to newer: Stamp) {
    for field in fields.keys where versions[field] == nil { versions[field] = stamp }
    stamp = newer
    removeRedundantVersions()
  }

  /// Returns the tombstone that replaces the row, with the next generation.
  package func tombstone(_ presence: Presence, _ stamp: Stamp) -> RowState {
    RowState(
      generation: generation == .max ? .max : generation + 1, presence: presence, stamp: stamp)
  }

  private mutating func removeRedundantVersions() {
    if versions.isEmpty { return }
    versions = versions.filter { fields[$0.key] != nil && $0.value != stamp }
  }
}

extension RowState {
  /// An upper bound for the bytes of the row's fields in a message.
  ///
  /// It counts the name, the value and a version of each field, although many have no version of
  /// their own. The other bytes of a row do not count.
  package var byteCount: Int {
    fields.reduce(0) { $0 + Self.byteCount(of: $1.key, $1.value) }
  }

  /// Returns an upper bound for the bytes of a field.
  static func byteCount(of field: String, _ value: WireValue) -> Int {
    field.utf8.count + value.byteCount + fieldBytes
  }

  /// The maximum number of bytes of a field beside its name and value: a stamp with its device,
  /// flags, and lengths.
  private static let fieldBytes = 44
}

/// The encoding has the generation, the presence, the stamp, then the fields with their versions.
///
/// A server may store rows in this encoding, in a column of its own.
extension RowState: WireCodable {
  package static var leastByteCount: Int { 27 }

  package func encode(into writer: inout WireWriter) {
    writer.signed(generation)
    writer.byte(presence.rawValue)
    stamp.encode(into: &writer)
    FieldWriter.write(fields, versions, to: &writer)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    var fields: [String: WireValue] = [:]
    var versions: [String: Stamp] = [:]
    let head = try Self.parse(from: &reader) { count in
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
  static func parse(
    from reader: inout WireReader, start: (Int) -> Void,
    field: (String, Stamp?, WireValue) -> Void
  ) throws(WireError) -> Head {
    let generation = try reader.ordinal()
    guard let presence = Presence(rawValue: try reader.byte()) else {
      throw reader.malformed("A row is neither there, deleted, nor moved.")
    }
    let stamp = try Stamp(from: &reader)
    var (isEmpty, repeatsStamp) = (true, false)
    try FieldReader.parse(from: &reader) { count in
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
