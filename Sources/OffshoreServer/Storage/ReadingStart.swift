/// The place in a scope's history from which an account reads the scope.
package struct ReadingStart: Hashable, Sendable {
  /// The head of the scope when the account began to read it by a rule, or `nil` for a member.
  package let head: Int64?
  /// The number of conflicts that the scope had when the account began to read it. The account
  /// receives later ones only.
  package let conflicts: Int64

  package init(head: Int64? = nil, conflicts: Int64 = 0) {
    (self.head, self.conflicts) = (head, conflicts)
  }
}
