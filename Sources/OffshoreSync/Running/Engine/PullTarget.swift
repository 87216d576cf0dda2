public import OffshoreWire

/// The scopes of a pull.
public enum PullTarget: Hashable, Sendable {
  /// All scopes that the account may read.
  case all
  /// Some scopes, about which the server has sent hints. The account may not be able to read them.
  case scopes(Set<ScopeID>)

  /// Returns the scopes of both targets.
  func union(_ other: PullTarget) -> PullTarget {
    guard case .scopes(let scopes) = self, case .scopes(let others) = other else { return .all }
    return .scopes(scopes.union(others))
  }

  static let none = PullTarget.scopes([])
}
