/// What is known of a row: its life, its fields, and who wrote them when.
public struct RowState: Hashable, Sendable {
  /// Whether the row is there.
  public enum Presence: UInt8, Hashable, Sendable {
    /// The row is there.
    case living
    /// The row was deleted.
    case deleted
    /// The row was taken to another scope.
    case moved
  }

  /// Which life of the row this is: 1 when it was first inserted, and one more with each deletion and
  /// each insertion after one.
  public internal(set) var generation: Int64
  /// Whether the row is there.
  public internal(set) var presence: Presence
  /// When the row was inserted or deleted: the version of each field that has none of its own.
  public internal(set) var stamp: Stamp
  /// The values, by field. A row that is not there has none.
  public internal(set) var fields: [String: WireValue]
  /// The versions of those fields that were written at another time than ``stamp``.
  public internal(set) var versions: [String: Stamp]

  /// Describes a row. Versions of fields that it does not have, or that say nothing new, are left out.
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

  /// Whether the row is there.
  public var isLiving: Bool { presence == .living }

  /// When a field was last written, or `nil` where the row does not have it.
  public func version(of field: String) -> Stamp? {
    versions[field] ?? (fields[field] == nil ? nil : stamp)
  }

  /// The version of each field, which whoever deletes the row has seen; none of a row whose fields are
  /// more, or have longer names, than those of an op.
  package var seen: [String: Stamp] {
    guard fields.count <= WireLimits.fieldsPerOp,
      fields.keys.allSatisfy({ $0.utf8.count <= WireLimits.fieldNameBytes })
    else { return [:] }
    return fields.reduce(into: [:]) { $0[$1.key] = version(of: $1.key) }
  }

  /// Writes a field, and changes nothing else.
  mutating func set(_ field: String, _ value: WireValue, _ version: Stamp) {
    fields[field] = value
    versions[field] = version == stamp ? nil : version
  }

  /// Notes that the row was inserted once more, at a later time.
  mutating func raiseStamp(to newer: Stamp) {
    for field in fields.keys where versions[field] == nil { versions[field] = stamp }
    stamp = newer
    keepVersionsThatDiffer()
  }

  /// The tombstone that the row leaves.
  func ended(_ presence: Presence, _ stamp: Stamp) -> RowState {
    RowState(
      generation: generation == .max ? .max : generation + 1, presence: presence, stamp: stamp)
  }

  private mutating func keepVersionsThatDiffer() {
    if versions.isEmpty { return }
    versions = versions.filter { fields[$0.key] != nil && $0.value != stamp }
  }
}
