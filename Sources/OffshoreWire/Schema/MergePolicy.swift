/// The rule by which concurrent edits of a column are merged.
public enum MergePolicy: Hashable, Sendable {
  /// The edit with the later stamp wins.
  case lastWriter
  /// The edit that the server received later wins.
  case serverOrder
  /// The greatest value wins, in the order of ``WireValue/isOrdered(before:)``; any value wins over
  /// NULL. A lower value never replaces a greater one, even if its author had seen the greater.
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
  public var isCompound: Bool { self == .set || self == .keyed }

  /// Whether concurrent edits have the same result in any order of arrival.
  ///
  /// It is `false` for a registered rule, although its function may have that property.
  public var isConvergent: Bool {
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
  var name: String {
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
