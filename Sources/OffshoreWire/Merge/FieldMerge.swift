/// The decision about one field when an edit arrives.
struct FieldMerge {
  /// The value and version of the field after the edit, and the value that lost.
  struct Decision {
    var value: WireValue
    var version: Stamp
    var lost: (value: WireValue, stamp: Stamp, reason: Conflict.Reason)?
  }

  let field: String
  let current: WireValue
  let version: Stamp
  let incoming: WireValue
  let incomingVersion: Stamp
  /// Whether the author of the edit had seen or written the current value.
  let isCausal: Bool

  func decide(_ policy: MergePolicy, _ rules: MergeRules) -> Decision {
    switch policy {
    case .lastWriter, .set, .keyed: lastWriter()
    case .serverOrder: replacing(.arrival)
    case .counter: joined(Self.sum(current, incoming))
    case .max: joined(Self.isGreater(incoming, than: current) ? incoming : current)
    case .min: joined(Self.isLess(incoming, than: current) ? incoming : current)
    case .ordered(let states): joined(Self.further(current, incoming, in: states))
    case .rule(let name): ruled(rules[name])
    }
  }

  // MARK: - Policies

  private func lastWriter() -> Decision {
    if isCausal || incomingVersion > version { return replacing(.later) }
    return Decision(
      value: current, version: version,
      lost: incoming == current ? nil : (incoming, incomingVersion, .later))
  }

  private func replacing(_ reason: Conflict.Reason) -> Decision {
    Decision(
      value: incoming, version: versionAfter,
      lost: isCausal || incoming == current ? nil : (current, version, reason))
  }

  /// Returns a decision for a value that includes both edits, with the later version.
  private func joined(_ value: WireValue) -> Decision {
    Decision(value: value, version: max(version, incomingVersion))
  }

  private func ruled(_ rule: MergeRules.Rule?) -> Decision {
    guard !isCausal, let rule else { return lastWriter() }
    let value = rule(
      ConcurrentEdit(
        field: field, current: current, currentStamp: version, incoming: incoming,
        incomingStamp: incomingVersion))
    if value == incoming, value != current { return replacing(.rule) }
    if value == current {
      return Decision(
        value: current, version: version,
        lost: value == incoming ? nil : (incoming, incomingVersion, .rule))
    }
    // NB: Neither device has seen this value, so a later edit of either must count as concurrent.
    return Decision(value: value, version: max(version, incomingVersion).next(by: .mergeRule))
  }

  /// The version of the incoming edit, made later than the current one. Two values of a field never
  /// share a version.
  private var versionAfter: Stamp {
    incomingVersion > version ? incomingVersion : version.next(by: incomingVersion.device)
  }

  // MARK: - Values

  private static func sum(_ left: WireValue, _ right: WireValue) -> WireValue {
    .integer(integer(left) &+ integer(right))
  }

  private static func integer(_ value: WireValue) -> Int64 {
    guard case .integer(let number) = value else { return 0 }
    return number
  }

  private static func isGreater(_ value: WireValue, than other: WireValue) -> Bool {
    other.isOrdered(before: value)
  }

  private static func isLess(_ value: WireValue, than other: WireValue) -> Bool {
    !value.isNull && (other.isNull || value.isOrdered(before: other))
  }

  private static func further(
    _ left: WireValue, _ right: WireValue, in states: [String]
  ) -> WireValue {
    let (leftIndex, rightIndex) = (index(left, in: states), index(right, in: states))
    if leftIndex != rightIndex { return leftIndex < rightIndex ? right : left }
    return left.isOrdered(before: right) ? right : left
  }

  /// Returns the index of a state in the list, or -1 if it is not listed.
  private static func index(_ value: WireValue, in states: [String]) -> Int {
    value.string.flatMap(states.firstIndex) ?? -1
  }
}
