public import Foundation
public import Offshore
public import OffshoreWire

/// An account with a role in a scope, as this device last pulled it, with the pending commands of this
/// device applied.
public struct Member: Hashable, Sendable, Identifiable {
  /// The id of the account.
  public let id: UUID
  /// The name that the user signs in with; empty for an added account whose name is not known.
  public let name: String
  /// The role: owner, editor or viewer.
  public let role: Role
  /// The time at which the account became a member, or at which the scope had its first change if
  /// that is later. `nil` if the server has not recorded it.
  public let since: Date?
  /// Whether the server has not performed a command about the member yet.
  public let isPending: Bool

  /// The condition of the rows of members, by which SQLite finds the index of them.
  static let condition: SQL = "substr(tbl, 1, 8) = '_members'"

  fileprivate init(_ row: MemberRow) {
    (id, name, role, isPending) = (row.account, row.name, row.role, false)
    since = row.since.map { Date(milliseconds: $0) }
  }

  /// Creates the member of a scope whose members this device does not know yet.
  init(_ id: UUID, _ role: Role) { self.init(id, named: "", role, since: nil) }

  /// Creates the member that an account is in a scope of its own without changes: the server adds the
  /// members to a scope with its first change.
  package init(_ account: LinkedAccount, _ role: Role) {
    (id, name, self.role, since, isPending) = (account.id, account.name, role, nil, false)
  }

  fileprivate init(_ id: UUID, named name: String, _ role: Role, since: Date?) {
    (self.id, self.name, self.role, self.since, isPending) = (id, name, role, since, true)
  }
}

/// An account that is a member of a scope of this one.
public struct KnownAccount: Hashable, Sendable, Identifiable {
  /// The id of the account.
  public let id: UUID
  /// The name that the user signs in with.
  public let name: String
}

extension Replica {
  /// Returns the members of a scope in the order of their names, as last pulled, with the pending
  /// commands of this device applied.
  ///
  /// They arrive with the rows of the scope, and are part of its digest. To receive each change,
  /// call it in an observation.
  /// - Returns: without commands an empty array for a scope that the server does not have yet, and for
  ///   a personal one. If the account has left the scope, these are the members of that time.
  /// - Throws: `DatabaseError`.
  public func members(of scope: ScopeID, _ reader: Reader) throws -> [Member] {
    var members = try memberRows("\(Member.condition) AND scope = \(scope.text)", reader).reduce(
      into: [:]) {
        $0[$1.account] = Member($1)
      }
    for command in try PendingCommands(reader: reader).all(in: scope).map(\.command) {
      let former = members[command.account]
      guard command.role.canRead, former != nil || command.isAddition else {
        members[command.account] = nil
        continue
      }
      let name = try former?.name ?? name(of: command.account, reader)
      members[command.account] = Member(
        command.account, named: name ?? "", command.role, since: former?.since)
    }
    return members.values.sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
  }

  /// Returns the accounts with which this one shares another scope, and that are not members of a scope,
  /// in the order of their names.
  /// - Parameter account: the account of this device.
  /// - Throws: `DatabaseError`.
  func knownAccounts(
    notIn scope: ScopeID, besides account: UUID, _ reader: Reader
  ) throws -> [KnownAccount] {
    let members = Set(try members(of: scope, reader).map(\.id)).union([account])
    let others: SQL = """
      \(Member.condition) AND scope <> \(scope.text)
        AND scope IN (SELECT scope FROM _cursor WHERE role IN (1, 2, 3))
      """
    let names = try memberRows(others, reader).reduce(into: [:]) { $0[$1.account] = $1.name }
    return names.filter { !members.contains($0.key) }
      .map { KnownAccount(id: $0.key, name: $0.value) }
      .sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
  }

  /// Returns the name of an account that is a member of some scope on this device.
  func name(of account: UUID, _ reader: Reader) throws -> String? {
    // NB: A bound name of the table, so that SQLite finds the row by its key.
    try memberRows("tbl = \(MemberRow.table) AND id = \(account.uuidString)", reader).first?.name
  }

  private func memberRows(_ condition: SQL, _ reader: Reader) throws -> [MemberRow] {
    try SQL("SELECT id, state FROM _row WHERE \(condition)")
      .all(reader, as: String.self, Data.self).compactMap { id, state in
        guard let version = try? RowVersion(decoding: Array(state)), version.isLiving else {
          return nil
        }
        return MemberRow(id: id, fields: version.unknown)
      }
  }
}

extension SyncedStore {
  /// Returns the members of a scope in the order of their names; see ``Replica/members(of:_:)``. Before the
  /// first sync of the scope is completed, some or all may be missing; see ``knownMembers(of:_:)``.
  /// - Throws: `DatabaseError`.
  public func members(of scope: ScopeID, _ reader: Reader) throws -> [Member] {
    try Self.isLinked(reader) ? try replica.members(of: scope, reader) : []
  }

  /// Returns the members of a scope as ``members(of:_:)`` does, or `nil` as long as this device does not
  /// know them: until its first sync of the scope is completed.
  /// - Throws: `DatabaseError`.
  public func knownMembers(of scope: ScopeID, _ reader: Reader) throws -> [Member]? {
    guard try Self.isLinked(reader), try replica.hasArrived(scope, reader) else { return nil }
    return try replica.members(of: scope, reader)
  }

  /// Returns the accounts that are not members of a scope, but share another one with this account, in
  /// the order of their names; see ``addMember(_:as:to:)``.
  /// - Returns: an empty array if the kind of the scope is not among the schema's `admittingKinds`.
  /// - Throws: `DatabaseError`.
  public func knownAccounts(notIn scope: ScopeID, _ reader: Reader) throws -> [KnownAccount] {
    guard replica.schema.manifest.admittingKinds.contains(scope.kind),
      let account = try Self.account(reader)
    else { return [] }
    return try replica.knownAccounts(notIn: scope, besides: account.id, reader)
  }
}
