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
  /// It must depend on nothing but its argument, so that it decides alike on all devices. All
  /// replicas agree whatever it returns, because they apply the result of the server. A result that
  /// differs from both values has neither device as its author: a later edit by either is
  /// concurrent with it until that device has seen it.
  public typealias Rule = @Sendable (ConcurrentEdit) -> WireValue

  private let rules: [String: Rule]

  /// Registers rules by name.
  public init(_ rules: [String: Rule] = [:]) { self.rules = rules }

  subscript(name: String) -> Rule? { rules[name] }

  /// Returns the names of the rules that a manifest names and that are not registered, sorted.
  public func missing(for manifest: Manifest) -> [String] {
    let named = manifest.tables.flatMap(\.columns).compactMap { column in
      if case .rule(let name) = column.policy { name } else { nil }
    }
    return Set(named).subtracting(rules.keys).sorted()
  }
}

/// Two concurrent values of a field, for a merge rule to decide.
public struct ConcurrentEdit: Hashable, Sendable {
  /// The name of the field.
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
