/// The state of a row: its generation, its fields, and their versions.
public struct RowState: Hashable, Sendable {
  /// Whether a row exists, or why it does not.
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
    keepVersionsThatDiffer()
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
  package var seen: [String: Stamp] {
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
    keepVersionsThatDiffer()
  }

  /// Returns the tombstone that replaces the row, with the next generation.
  func ended(_ presence: Presence, _ stamp: Stamp) -> RowState {
    RowState(
      generation: generation == .max ? .max : generation + 1, presence: presence, stamp: stamp)
  }

  private mutating func keepVersionsThatDiffer() {
    if versions.isEmpty { return }
    versions = versions.filter { fields[$0.key] != nil && $0.value != stamp }
  }
}
