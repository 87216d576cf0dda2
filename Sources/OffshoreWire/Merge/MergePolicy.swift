/// The rule by which concurrent edits of a column are merged.
public enum MergePolicy: Hashable, Sendable {
  /// The edit with the later stamp wins.
  case lastWriter
  /// The edit that the server received later wins.
  case serverOrder
  /// The greatest value wins, in the order of ``WireValue/isOrdered(before:)``; any value wins over
  /// NULL. A lower value never replaces a greater one, even if its author had seen the greater.
  ///
  /// Do not use it for the time of a change: if one device's clock is a year ahead, the time stays
  /// that of its change for a year.
  case max
  /// The least value wins; any value wins over NULL.
  case min
  /// Increments are added up and none is lost; beyond 64 bits they wrap around. Integers only.
  case counter
  /// A JSON array as a set: each member is added and removed separately.
  case set
  /// A JSON object whose keys are merged separately, each by the later stamp.
  case keyed
  /// The value that is later in the list wins: a state that only moves forward.
  case ordered([String])
  /// A function that client and server register under this name; see ``MergeRules``.
  case rule(String)

  /// Whether the column is split into fields; see ``CompoundValue``.
  package var isCompound: Bool { self == .set || self == .keyed }

  /// Whether each edit writes a whole value.
  package var mergesWholes: Bool { !isCompound && self != .counter }

  /// Whether concurrent edits have the same result in any order of arrival.
  ///
  /// It is `false` for a registered rule, although its function may have that property.
  package var isConvergent: Bool {
    switch self {
    case .serverOrder, .rule: false
    default: true
    }
  }
}

/// A policy is encoded as its name, or with a parameter as an object with the name as its key.
extension MergePolicy: Codable {
  private enum Key: String, CodingKey, CaseIterable { case ordered, rule }

  private static let plain: [String: MergePolicy] = [
    "lastWriter": .lastWriter, "serverOrder": .serverOrder, "max": .max, "min": .min,
    "counter": .counter, "set": .set, "keyed": .keyed,
  ]

  /// The name of the policy, stable across releases.
  package var name: String {
    switch self {
    case .lastWriter: "lastWriter"
    case .serverOrder: "serverOrder"
    case .max: "max"
    case .min: "min"
    case .counter: "counter"
    case .set: "set"
    case .keyed: "keyed"
    case .ordered: "ordered"
    case .rule: "rule"
    }
  }

  /// Encodes the name, with the states or the rule if the policy has any.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .ordered(let states):
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(states, forKey: .ordered)
    case .rule(let name):
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(name, forKey: .rule)
    default:
      var single = encoder.singleValueContainer()
      try single.encode(name)
    }
  }

  /// Decodes a policy that ``encode(to:)`` encoded.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let policy = Self.plain[name] else {
        throw decoder.failure("a merge policy that is not known here")
      }
      self = policy
      return
    }
    let object = try decoder.object(of: Key.self)
    guard object.allKeys.count == 1 else { throw decoder.failure("not exactly one merge policy") }
    self =
      object.contains(.rule)
      ? .rule(try object.decode(String.self, forKey: .rule))
      : .ordered(try object.decode([String].self, forKey: .ordered))
  }
}

/// The merge rules that client and server register under the same names; see
/// ``MergePolicy/rule(_:)``.
///
/// ```swift
/// let rules = MergeRules(["longest": { edit in
///   edit.incoming.byteCount > edit.current.byteCount ? edit.incoming : edit.current
/// }])
/// ```
public struct MergeRules: Sendable {
  /// A function that returns one value for two concurrent ones.
  ///
  /// Its result must depend on the argument alone, so that a device predicts the decision of the
  /// server. If a prediction is wrong, the device still applies the server's result. A result that
  /// differs from both values has neither device as its author: a later edit by either is
  /// concurrent with it until that device has seen it.
  public typealias Rule = @Sendable (ConcurrentEdit) -> WireValue

  private let rules: [String: Rule]

  /// Registers rules by name.
  public init(_ rules: [String: Rule] = [:]) { self.rules = rules }

  subscript(name: String) -> Rule? { rules[name] }

  /// Returns the names of the rules that a manifest names and that are not registered, sorted.
  package func missing(for manifest: Manifest) -> [String] {
    let named = manifest.tables.flatMap(\.columns).compactMap { column in
      if case .rule(let name) = column.policy { name } else { nil }
    }
    return Set(named).subtracting(rules.keys).sorted()
  }
}

/// Two concurrent values of a field, for a merge rule to decide.
public struct ConcurrentEdit: Hashable, Sendable {
  /// The name of the field, as the text of a ``FieldName``.
  public let field: String
  /// The stored value.
  public let current: WireValue
  /// The version of the stored value.
  public let currentStamp: Stamp
  /// The value of the edit that arrives.
  public let incoming: WireValue
  /// The version of the edit that arrives.
  public let incomingStamp: Stamp
}
