package import OffshoreWire

/// The rows by which devices learn the members of a scope; see `MemberRow`.
///
/// Each grant writes the row of its account. A scope without any change has no rows: the first change
/// adds those of all members.
package struct MemberRows: Sendable {
  private let personalKinds: Set<String>
  private let now: Int64

  /// Creates the rules of a write.
  /// - Parameters:
  ///   - personalKinds: the kinds of personal scopes, which have no other members and none of these
  ///     rows.
  ///   - now: the server's clock, in milliseconds since 1970.
  package init(personalKinds: Set<String>, at now: Int64) {
    (self.personalKinds, self.now) = (personalKinds, now)
  }

  /// Grants a role in a scope, or ends it, and writes the row of the account.
  @discardableResult
  package func grant(
    _ role: Role, to account: AccountID, in scope: ScopeID,
    on transaction: inout some StorageTransaction
  ) throws -> Grant {
    let grant = try transaction.grant(role, to: account, in: scope)
    var state = try transaction.scope(scope)
    guard state.head > 0, !personalKinds.contains(scope.kind),
      let name = try transaction.account(account)?.name
    else { return grant }
    try write(Member(account, name: name, role: role), in: scope, &state, on: &transaction)
    try transaction.setScope(scope, state)
    return grant
  }

  /// Writes the rows of all members of a scope, after its first change.
  /// - Parameter state: the state of the scope, which the caller stores afterwards.
  func writeAll(
    in scope: ScopeID, _ state: inout ScopeState, on transaction: inout some StorageTransaction
  ) throws {
    guard !personalKinds.contains(scope.kind) else { return }
    for member in try transaction.members(of: scope) {
      try write(member, in: scope, &state, on: &transaction)
    }
  }

  private func write(
    _ member: Member, in scope: ScopeID, _ state: inout ScopeState,
    on transaction: inout some StorageTransaction
  ) throws {
    let row = MemberRow.id(of: member.account.uuid)
    let old = try transaction.row(row, in: scope)?.state
    guard let next = next(member, after: old) else { return }
    let seq = state.advance(old, to: next, of: row)
    try transaction.setRow(SyncedRow(row, seq: seq, state: next), in: scope)
  }

  /// Returns the next state of a member's row, or `nil` if it stays as it is.
  private func next(_ member: Member, after old: RowState?) -> RowState? {
    let stamp = Stamp(milliseconds: now, device: .server)
    let living = old.flatMap { $0.isLiving ? $0 : nil }
    guard member.role.canRead else { return living?.tombstone(.deleted, stamp) }
    let id = member.account.uuid
    let former = living.flatMap { MemberRow(id: MemberRow.id(of: id).id, fields: $0.fields) }
    let fields = MemberRow(
      account: id, name: member.name.text, role: member.role,
      since: former.map { $0.since } ?? now
    ).fields
    if living?.fields == fields { return nil }
    let generation = living?.generation ?? old.map { $0.generation + 1 } ?? 1
    return RowState(generation: generation, stamp: stamp, fields: fields)
  }
}
