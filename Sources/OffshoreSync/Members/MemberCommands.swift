public import Foundation
package import Offshore
public import OffshoreWire

/// The commands about members: they apply on this device at once, and are sent among the other changes
/// of their scope, in order. Until they are sent they can be cancelled, as ``OutgoingChanges`` lists them.
extension SyncedStore {
  /// Changes the role of a member.
  /// - Parameter role: the new role: owner, editor or viewer.
  /// - Throws: ``ReplicaError``: `forbidden` if this account is not an owner, or `account` is not a
  ///   member; `lastOwner` if the scope would have no owner. `DatabaseError`. Nothing has changed then.
  public func setRole(_ role: Role, of account: UUID, in scope: ScopeID) async throws {
    try await perform(MemberCommand(role, of: account), in: scope) { members, own in
      guard role.canRead, let member = members.first(where: { $0.id == account }) else {
        throw MemberError.notMember
      }
      try MemberError.checkOwner(own, among: members)
      if member.role == .owner, role != .owner {
        try MemberError.checkOwners(members, without: account)
      }
    }
  }

  /// Adds an account to a scope, without an invitation.
  ///
  /// The kind of the scope has to be one of the schema's `admittingKinds`, and the account has to share
  /// another scope with this one, as those do that ``knownAccounts(notIn:_:)`` returns. The server refuses
  /// a former member of the scope, which joins again by an invitation.
  /// - Parameter role: the role: owner, editor or viewer.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if this account is not an owner, or cannot
  ///   add accounts. `DatabaseError`. Nothing has changed then.
  public func addMember(_ account: UUID, as role: Role, to scope: ScopeID) async throws {
    let command = MemberCommand(role, of: account, isAddition: true)
    try await perform(command, in: scope) { [replica] members, own in
      guard role.canRead, replica.schema.manifest.admittingKinds.contains(scope.kind),
        !members.contains(where: { $0.id == account })
      else { throw MemberError.notAdmitting }
      try MemberError.checkOwner(own, among: members)
    }
  }

  /// Removes a member. The rows of the scope are deleted from the member's devices.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if this account is not an owner, or `account`
  ///   is not another member. `DatabaseError`. Nothing has changed then.
  public func removeMember(_ account: UUID, from scope: ScopeID) async throws {
    try await perform(MemberCommand(.revoked, of: account), in: scope) { members, own in
      guard account != own, members.contains(where: { $0.id == account }) else {
        throw MemberError.notMember
      }
      try MemberError.checkOwner(own, among: members)
    }
  }

  /// Leaves a scope. Its rows can only be read from then on, or are not on this device any more.
  ///
  /// Changes that were made before are sent first, and then their files, for which the command waits a day at the
  /// most. If this account is the last owner, the member who may
  /// write and became a member first becomes an owner. If it is the only member and retains no copy, the server
  /// removes the scope; whether there is another member is determined when the command arrives. A scope that the
  /// server never had is removed from this device, and nothing of it is sent, if no copy is retained.
  /// - Parameter retainingCopy: whether the devices of the account retain a read-only copy of the rows.
  ///   Otherwise they remove them. If the command is then cancelled or refused, the rows return without
  ///   the values of columns that are not synced, and without rows of other tables that were deleted
  ///   together with them.
  /// - Throws: ``ReplicaError``: `forbidden` if this account is not a member; `lastOwner` if it is the
  ///   last owner, and the other members may only read. `DatabaseError`. Nothing has changed then.
  public func leave(_ scope: ScopeID, retainingCopy: Bool) async throws {
    let account = try await read { try Self.account($0)?.id }
    guard let account else { throw MemberError.notMember }
    let command = MemberCommand(retainingCopy ? .left : .revoked, of: account)
    try await perform(command, in: scope, withdrawsUnsent: !retainingCopy) { members, own in
      guard let member = members.first(where: { $0.id == own }) else { throw MemberError.notMember }
      let others = members.filter { $0.id != own }
      if member.role == .owner, !others.isEmpty, !others.contains(where: \.role.canWrite) {
        throw MemberError.lastOwner
      }
    }
  }

  /// Makes a command pending, if a check of the members as this device shows them succeeds.
  /// - Parameter withdrawsUnsent: whether to remove a scope that the server never had instead.
  private func perform(
    _ command: MemberCommand, in scope: ScopeID, withdrawsUnsent: Bool = false,
    _ check: @escaping @Sendable (_ members: [Member], _ own: UUID) throws -> Void
  ) async throws {
    try await write { [self] writer in
      let manifest = replica.schema.manifest
      guard let own = try Self.account(writer)?.id, !manifest.personalKinds.contains(scope.kind)
      else { throw MemberError.notMember }
      var members = try members(of: scope, writer)
      // The account will own a scope that it claims.
      let isClaimable = manifest.claimableKinds.contains(scope.kind)
      let role = try role(in: scope, writer) ?? (isClaimable ? .owner : nil)
      guard let role, role.canRead else { throw MemberError.notMember }
      // A scope without changes has no rows of members.
      if !members.contains(where: { $0.id == own }) { members.append(Member(own, role)) }
      let now = now().millisecondsSince1970
      if withdrawsUnsent,
        try replica.withdraw(scope, writer, at: now, makeID: environment.makeID)
      {
        return
      }
      try check(members, own)
      try replica.perform(
        command, in: scope, by: own, writer, at: now, makeID: environment.makeID)
    }
  }
}

extension SyncedStore {
  /// Makes a refused command pending again.
  /// - Returns: whether it was done; `nil` if the refused change is not a command.
  func repeatCommand(_ id: DeadLetter.ID, _ writer: Writer) throws -> Bool? {
    guard let letter = try replica.deadLetters(writer).first(where: { $0.id == id }),
      let command = letter.op.flatMap({ MemberCommand($0) })
    else { return nil }
    guard let own = try Self.account(writer)?.id, let scope = letter.scope else { return false }
    try replica.perform(
      command, in: scope, by: own, writer, at: now().millisecondsSince1970,
      makeID: environment.makeID)
    return try replica.discard(id, writer)
  }
}

/// The reasons for which this device refuses a command.
private enum MemberError {
  static let notMember = ReplicaError(
    .forbidden, "The account is not a member. Pull the scope, and choose one of its members.")
  static let notAdmitting = ReplicaError(
    .forbidden, "Accounts are added to this scope by an invitation. Invite the account.")
  static let lastOwner = ReplicaError(
    .lastOwner, "A shared thing needs an owner. Make another member the owner first.")

  static func checkOwner(_ account: UUID, among members: [Member]) throws {
    guard members.contains(where: { $0.id == account && $0.role == .owner }) else {
      throw ReplicaError(.forbidden, "Only an owner may change the members. Ask an owner.")
    }
  }

  static func checkOwners(_ members: [Member], without account: UUID) throws {
    guard members.contains(where: { $0.id != account && $0.role == .owner }) else {
      throw lastOwner
    }
  }
}

extension Replica {
  /// Makes a command pending, as a batch of its own behind all captured changes. If it has to wait for files, it
  /// is postponed; see ``HeldCommands``.
  /// - Parameters:
  ///   - account: the account of this device.
  ///   - now: the current time of the device's clock, in milliseconds since 1970.
  ///   - makeID: creates the ids of batches.
  package func perform(
    _ command: MemberCommand, in scope: ScopeID, by account: UUID, _ writer: Writer, at now: Int64,
    makeID: @escaping () -> UUID
  ) throws {
    try sealAll(writer, at: now, makeID: makeID)
    var state = try ReplicaState(writer)
    let op = command.op(at: state.clock.next(at: now))
    try state.save(writer)
    if command.account == account,
      try HeldCommands(reader: writer).includes(command, in: scope, made: now, at: now)
    {
      let batch = Batch(scope, number: 0, id: makeID(), ops: [op])
      var sealed = SealedBatch(device: state.device, batch: batch, parts: [0], made: now)
      sealed.phase = .postponed
      try sealed.insert(writer)
    } else {
      try BatchQueue(writer: writer, makeID: makeID)
        .add([op], [0], made: now, in: scope, by: state.device)
    }
    if command.account == account {
      var cursor = try ScopeCursor.of(scope, writer)
      let wasHidden = cursor.isHidden
      cursor.wanted = WantedRole(account: account, role: command.role)
      try cursor.saveWantedRole(writer)
      if wasHidden != cursor.isHidden { try showOrHide(scope, writer, at: now) }
    }
    try deriveRoots(of: [scope], writer)
  }

  /// Runs the derivations of the root rows of scopes and of rows with unsent files, because their members or the
  /// role of the account have changed.
  func deriveRoots(of scopes: Set<ScopeID>, _ writer: Writer) throws {
    let unsent = UnsentFiles(schema: schema, reader: writer)
    try derivations.run(
      for: scopes.flatMap { try schema.roots(of: $0) + unsent.rows(in: $0) }, writer)
  }

  /// Updates the app's rows of a scope that is hidden now, or is not any more.
  ///
  /// All captured changes have to be sealed before, because the shown rows become confirmed states.
  func showOrHide(_ scope: ScopeID, _ writer: Writer, at now: Int64) throws {
    if try ScopeCursor.of(scope, writer).isHidden { try FileQueue.sendHidden(of: scope, writer) }
    try recompute(writer, at: now) { try $0.touchAll(in: scope) }
    try FormerScopes(schema: schema, writer: writer).forget(scope)
  }

  /// Cancels a command that was not sent yet, so that the former roles apply again.
  /// - Parameter id: the id of the command's batch; by default the oldest command that can be cancelled.
  /// - Returns: whether the command was pending and not sent.
  package func cancelCommand(
    _ writer: Writer, id: UUID? = nil, at now: Int64, makeID: @escaping () -> UUID
  ) throws -> Bool {
    let pending = PendingCommands(reader: writer)
    let entry = try pending.pending().first { entry in
      try (id == nil || entry.sealed.batch.id == id) && pending.isUnsent(entry)
    }
    guard let entry else { return false }
    try UnsentBatches.replace([entry.sealed], writer) { _ in nil }
    for scope in try settleWantedRoles(writer).shownOrHidden {
      try sealAll(writer, at: now, makeID: makeID)
      try showOrHide(scope, writer, at: now)
    }
    try deriveRoots(of: [entry.sealed.scope], writer)
    return true
  }
}
