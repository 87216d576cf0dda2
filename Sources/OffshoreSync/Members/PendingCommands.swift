import Foundation
import Offshore
public import OffshoreWire

/// The commands about members that the server has not performed yet, or whose effects are not pulled
/// yet. Each is a batch of its own.
struct PendingCommands {
  let reader: Reader

  /// A command and its batch.
  struct Entry {
    let command: MemberCommand
    let sealed: SealedBatch
  }

  /// Returns the commands of a scope, oldest first.
  func all(in scope: ScopeID) throws -> [Entry] { try entries(SealedBatch.inOrder(of: scope)) }

  /// Returns the unanswered commands of all scopes, oldest first.
  func pending() throws -> [Entry] { try entries(SealedBatch.pending.order { $0.key }) }

  private func entries(_ batches: Query<SealedBatch>) throws -> [Entry] {
    try batches.where { $0.count == 1 }.all(reader).compactMap { sealed in
      MemberCommand(sealed.batch).map { Entry(command: $0, sealed: sealed) }
    }
  }

  /// Returns the unanswered commands as a user sees them, oldest first.
  /// - Parameter account: the account of this device.
  func changes(_ names: RowNames, by account: UUID?) throws -> [PendingChange] {
    try pending().map { entry in
      let (command, sealed) = (entry.command, entry.sealed)
      let member = MemberRow.id(of: command.account)
      return PendingChange(
        id: Self.prefix + sealed.batch.id.uuidString,
        row: try names.name(ofMember: member, in: sealed.scope),
        level: .part,
        action: command.isAddition ? .added : command.role.canRead ? .changed : .removed,
        date: Date(milliseconds: sealed.made), isBeingSent: try !isUnsent(entry), partCount: 0,
        member: MemberChange(role: command.role, isOwn: command.account == account))
    }
  }

  /// Returns the id of a command's batch by that of its pending change, or `nil` for that of a row.
  static func id(of id: PendingChange.ID) -> UUID? {
    id.hasPrefix(prefix) ? UUID(sent: String(id.dropFirst(prefix.count))) : nil
  }

  // The name of a table cannot begin with it.
  private static let prefix = "_member-"

  /// Returns whether a command can still be cancelled, because its batch was never part of a request.
  func isUnsent(_ entry: Entry) throws -> Bool {
    var unsent = UnsentBatches(reader)
    return try unsent.contains(entry.sealed)
  }
}

/// A command about a member, among the pending or refused changes.
public struct MemberChange: Hashable, Sendable {
  /// The new role of the member: `revoked` or `left` if the membership ends.
  public let role: Role
  /// Whether the member is the account of this device.
  public let isOwn: Bool

  /// Creates a change.
  public init(role: Role, isOwn: Bool) { (self.role, self.isOwn) = (role, isOwn) }

  init?(_ op: Op?, by account: UUID?) {
    guard let command = op.flatMap({ MemberCommand($0) }) else { return nil }
    self.init(role: command.role, isOwn: command.account == account)
  }
}

/// The role that an account gives itself by a pending command: it applies on this device at once.
struct WantedRole: Hashable {
  let account: UUID
  let role: Role
  /// Whether the copy of the scope, which the role `left` retains, is removed from this device.
  var removesCopy = false

  /// The role as it applies on this device.
  var shown: Role { removesCopy ? .revoked : role }
}

extension WantedRole: StoredMessage {
  static var samples: (WantedRole, WantedRole) {
    let (first, second) = DeviceID.samples
    return (
      WantedRole(account: first.uuid, role: .left), WantedRole(account: second.uuid, role: .left)
    )
  }

  func encode(into writer: inout WireWriter) {
    writer.text(account.uuidString)
    writer.byte(role.rawValue)
    writer.flag(removesCopy)
  }

  init(from reader: inout WireReader) throws(WireError) {
    guard let account = UUID(sent: try reader.text()),
      let role = Role(rawValue: try reader.byte())
    else { throw reader.malformed("A role of an account is expected.") }
    self.init(account: account, role: role, removesCopy: try reader.flag())
  }
}

extension Replica {
  /// Updates the wanted roles of scopes whose commands have changed.
  /// - Parameter reopened: scopes whose sent commands may be pending again, because the server's data was
  ///   restored.
  /// - Returns: the cursors with another wanted role, and the scopes that are hidden now or are not any
  ///   more, whose rows have to be computed again.
  func settleWantedRoles(
    _ writer: Writer, reopened: Set<ScopeID> = []
  ) throws -> (cursors: [ScopeCursor], shownOrHidden: [ScopeID]) {
    // NB: SQL, because the index serves only a query with its own condition.
    let scopes = try SQL("SELECT scope FROM _cursor WHERE \(ScopeCursor.hasWantedRole)")
      .all(writer, as: String.self).compactMap { try? ScopeID($0) }
    var (changed, shownOrHidden): ([ScopeCursor], [ScopeID]) = ([], [])
    let hasAccount = try !reopened.isEmpty && Setting.areStored(writer)
    let own = hasAccount ? try SyncedStore.account(writer)?.id : nil
    for scope in reopened.union(scopes).sorted() {
      var cursor = try ScopeCursor.of(scope, writer)
      let (wanted, wasHidden) = (cursor.wanted, cursor.isHidden)
      let commands = try PendingCommands(reader: writer).all(in: scope).map(\.command)
      // Only the account itself ends its membership by `left`.
      let account = wanted?.account ?? own ?? commands.last { $0.role == .left }?.account
      let last = commands.last { $0.account == account }
      cursor.wanted = last.map { command in
        WantedRole(
          account: command.account, role: command.role,
          removesCopy: wanted?.removesCopy == true && command.role == .left)
      }
      guard cursor.wanted != wanted else { continue }
      try cursor.saveWantedRole(writer)
      changed.append(cursor)
      if wasHidden != cursor.isHidden { shownOrHidden.append(scope) }
    }
    return (changed, shownOrHidden)
  }
}
