import Foundation
import OffshoreServer
import OffshoreWire
import ServerSupport

/// The simulator's own rules for commands about members, to compare with the server's answers to the
/// commands of a push in one scope.
struct CommandChecks {
  typealias Roles = [AccountID: Role]

  let account: AccountID
  let scope: ScopeID
  /// The roles that are possible after the answers so far. If the last owner leaves, each editor can
  /// become the owner.
  private var possible: [Roles]
  /// Whether the last member has left the scope and retained nothing, so that the server removes it.
  private(set) var isRemoved = false

  /// - Parameter roles: the roles before the push.
  init(account: AccountID, scope: ScopeID, roles: Roles) {
    (self.account, self.scope, possible) = (account, scope, [roles])
  }

  /// Checks the answer to a command that was not answered before.
  mutating func check(
    _ outcome: BatchResult.Outcome, to command: MemberCommand
  ) -> Violation? {
    let before = possible
    switch outcome {
    case .gap, .forked: return nil
    case .rejected: possible = before.filter { !isAllowed(command, $0) }
    case .applied:
      possible = before.filter { isAllowed(command, $0) }.flatMap { after(command, $0) }
      let isLeaving = command.account == account.uuid && command.role == .revoked
      let hasMembers = possible.contains { $0.values.contains(where: \.canRead) }
      if isLeaving, !possible.isEmpty, !hasMembers { isRemoved = true }
    }
    guard possible.isEmpty else { return nil }
    possible = before
    return Violation(.members, "\(account) made \(command.role) in \(scope): \(outcome).")
  }

  /// Returns the roles that the server has after the push.
  /// - Throws: ``Violation`` if they are not possible.
  func roles(in log: MemoryState) throws(Violation) -> Roles {
    let accounts = possible.first?.keys.map(\.self) ?? []
    let found = Dictionary(
      accounts.compactMap { account in
        log.grant(of: account, in: scope).map { (account, $0.role) }
      }, uniquingKeysWith: { first, _ in first })
    guard possible.contains(found) else {
      throw Violation(.members, "After commands the roles in \(scope) are \(found).")
    }
    return found
  }

  private func others(than account: AccountID, _ roles: Roles) -> Roles {
    roles.filter { $0.key != account && $0.value.canRead }
  }

  private func isAllowed(_ command: MemberCommand, _ roles: Roles) -> Bool {
    guard let own = roles[account], own.canRead else { return false }
    let member = AccountID(command.account)
    if member == account, !command.role.canRead {
      let others = others(than: account, roles)
      return own != .owner || others.isEmpty || others.values.contains(where: \.canWrite)
    }
    guard own == .owner, command.role != .left else { return false }
    guard let former = roles[member], former.canRead else { return command.role == .revoked }
    return former != .owner || command.role == .owner
      || others(than: member, roles).values.contains(.owner)
  }

  /// Returns the roles that may follow.
  private func after(_ command: MemberCommand, _ roles: Roles) -> [Roles] {
    let member = AccountID(command.account)
    guard roles[member]?.canRead == true else { return [roles] }
    let after = roles.merging([member: command.role]) { $1 }
    let others = others(than: member, roles)
    guard member == account, !command.role.canRead, roles[account] == .owner, !others.isEmpty,
      !others.values.contains(.owner)
    else { return [after] }
    return others.filter(\.value.canWrite).keys.map { heir in
      after.merging([heir: .owner]) { $1 }
    }
  }
}
