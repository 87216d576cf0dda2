/// A column of a synced table, as client and server have agreed on it.
public struct SyncedColumn: Hashable, Sendable {
  /// The column's name: a letter, then letters, digits and underscores.
  public let name: String
  /// The type of the column's values.
  public let type: StorageType
  /// Whether the column may be NULL.
  public let isNullable: Bool
  /// The rule by which concurrent edits are merged.
  public let policy: MergePolicy
  /// Whether the device seals the content, so that the server can neither read nor compare it.
  public let isSealed: Bool
  /// The table that the column's ids refer to, in the same scope, or `nil` if it has no reference.
  public let reference: String?

  /// Declares a column.
  public init(
    _ name: String, _ type: StorageType, isNullable: Bool = false,
    policy: MergePolicy = .lastWriter, isSealed: Bool = false, reference: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.policy = policy
    self.isSealed = isSealed
    self.reference = reference
  }
}

extension SyncedColumn: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, type, isNullable, policy, isSealed, reference
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(type, forKey: .type)
    try object.encode(isNullable, forKey: .isNullable)
    try object.encode(policy, forKey: .policy)
    try object.encode(isSealed, forKey: .isSealed)
    try object.encodeIfPresent(reference, forKey: .reference)
  }

  public init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: Key.self)
    self.init(
      try object.decode(String.self, forKey: .name),
      try object.decode(StorageType.self, forKey: .type),
      isNullable: try object.decode(Bool.self, forKey: .isNullable),
      policy: try object.decode(MergePolicy.self, forKey: .policy),
      isSealed: try object.decode(Bool.self, forKey: .isSealed),
      reference: try object.decodeIfPresent(String.self, forKey: .reference))
  }
}
