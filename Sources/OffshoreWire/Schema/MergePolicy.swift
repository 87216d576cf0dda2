/// How edits of a column are merged that did not know of each other.
public enum MergePolicy: Hashable, Sendable {
  /// The later edit by its stamp stays.
  case lastWriter
  /// The edit that the server received later stays.
  case serverOrder
  /// The greatest value stays, in the order of ``WireValue/isOrdered(before:)``; NULL gives way to all.
  /// A lower value never replaces a greater, not even one that was seen.
  case max
  /// The least value stays; NULL gives way to all.
  case min
  /// Increments add up and none is lost; beyond 64 bits they wrap around. Integers only.
  case counter
  /// A JSON array as a set: each member is added and removed on its own.
  case set
  /// A JSON object whose keys are merged each on its own, the later edit by its stamp.
  case keyed
  /// The value that is later in the list stays: a state that only moves forward.
  case ordered([String])
  /// A function that client and server register by this name; see ``MergeRules``.
  case rule(String)

  /// Whether the column is taken apart into fields; see ``CompoundValue``.
  public var isCompound: Bool { self == .set || self == .keyed }

  /// Whether the result of concurrent edits is the same in whichever order they arrive.
  ///
  /// A registered rule makes no such promise by itself, though its function may.
  public var isConvergent: Bool {
    switch self {
    case .serverOrder, .rule: false
    default: true
    }
  }
}

/// A policy without more to say is its name; the others are an object with the name as key.
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
