/// The merge rules that client and server register by the same names; see ``MergePolicy/rule(_:)``.
///
/// ```swift
/// let rules = MergeRules(["longest": { edit in
///   edit.incoming.byteCount > edit.current.byteCount ? edit.incoming : edit.current
/// }])
/// ```
public struct MergeRules: Sendable {
  /// Makes one value of two that were written without knowing of each other.
  ///
  /// It depends on nothing but what it is given, so that it decides alike wherever it runs. All
  /// replicas agree whatever it returns, because they take what the server has made of it. A value that
  /// is neither of the two was written by nobody: whoever edits next is asked about that one.
  public typealias Rule = @Sendable (ConcurrentEdit) -> WireValue

  private let rules: [String: Rule]

  /// Registers rules by name.
  public init(_ rules: [String: Rule] = [:]) { self.rules = rules }

  subscript(name: String) -> Rule? { rules[name] }

  /// The rules that a manifest names and that are not registered, sorted.
  public func missing(for manifest: Manifest) -> [String] {
    let named = manifest.tables.flatMap(\.columns).compactMap { column in
      if case .rule(let name) = column.policy { name } else { nil }
    }
    return Set(named).subtracting(rules.keys).sorted()
  }
}

/// What a merge rule decides about.
public struct ConcurrentEdit: Hashable, Sendable {
  /// The name of the field.
  public let field: String
  /// The value that is there.
  public let current: WireValue
  /// When it was written.
  public let currentStamp: Stamp
  /// The value that arrives.
  public let incoming: WireValue
  /// When it was written.
  public let incomingStamp: Stamp
}
