/// The place of a part's state in a larger state.
///
/// It separates the ids of the part's effects from others, and determines whether the part still
/// exists.
struct EffectPlace<Whole: Sendable, Part: Sendable>: Sendable {
  let keys: [EffectKey]
  /// Whether the state of the part can disappear.
  let canDisappear: Bool
  /// Returns the state of the part, or `nil` if it has disappeared.
  let part: @Sendable (Whole) -> Part?

  /// Creates the place of a part that always exists.
  init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
    keys = [EffectKey(path)]
    canDisappear = false
    part = { $0[keyPath: path] }
  }

  /// Creates the place of an optional part. A part with another id than the initial one is another
  /// part.
  init(optional path: any WritableKeyPath<Whole, Part?> & Sendable, initially initial: Part) {
    keys = [EffectKey(path)]
    canDisappear = true
    part = { whole in
      guard let part = whole[keyPath: path] else { return nil }
      return (initial as? any Identifiable)?.hasSameID(as: part) == false ? nil : part
    }
  }

  /// Creates the place of a row of a list.
  init(row id: Part.ID, of path: any WritableKeyPath<Whole, [Part]> & Sendable)
  where Part: Identifiable, Part.ID: Sendable {
    keys = [EffectKey(path), EffectKey(id)]
    canDisappear = true
    part = { whole in whole[keyPath: path].first { $0.id == id } }
  }

  /// Returns the check whether the state of an effect's part exists in the larger state.
  ///
  /// - Parameter isCurrent: the check within the part.
  func check(_ isCurrent: EffectCheck?) -> EffectCheck? {
    guard canDisappear || isCurrent != nil else { return nil }
    return { whole in
      guard let whole = whole as? Whole, let part = part(whole) else { return false }
      return isCurrent?(part) ?? true
    }
  }
}

/// Returns whether a state still has the part that started an effect.
typealias EffectCheck = @Sendable (_ state: Any) -> Bool

extension Identifiable {
  fileprivate func hasSameID(as other: Any) -> Bool { (other as? Self)?.id == id }
}

/// The identity of effects that can be cancelled: an id that a feature chose, after the keys of the
/// places that lead to the feature.
struct EffectID: Hashable, Sendable {
  private var keys: [EffectKey]

  init(_ id: some Hashable & Sendable) { keys = [EffectKey(id)] }

  /// Returns the id as it is outside of a place.
  func within(_ place: [EffectKey]) -> EffectID {
    var id = self
    id.keys = place + keys
    return id
  }
}

/// A value of any type as a part of an id.
struct EffectKey: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) { self.value = value }

  static func == (left: EffectKey, right: EffectKey) -> Bool {
    AnyHashable(left.value) == AnyHashable(right.value)
  }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
