public import Foundation
public import Offshore
public import OffshoreWire

/// An account with a role in a scope, as this device last pulled it.
public struct Member: Hashable, Sendable, Identifiable {
  /// The id of the account.
  public let id: UUID
  /// The name that the user signs in with.
  public let name: String
  /// The role: owner, editor or viewer.
  public let role: Role
  /// The time at which the account became a member, or at which the scope had its first change if
  /// that is later. `nil` if a former version of the server did not record it.
  public let since: Date?

  /// The condition of the rows of members, by which SQLite finds the index of them.
  static let condition: SQL = "substr(tbl, 1, 8) = '_members'"
}

extension Replica {
  /// Returns the members of a scope in the order of their names, as last pulled.
  ///
  /// They arrive with the rows of the scope, and are part of its digest. To receive each change,
  /// call it in an observation.
  /// - Returns: an empty array for a scope that the server does not have yet, and for a personal one.
  ///   If the account has left the scope, these are the members of that time.
  /// - Throws: `DatabaseError`.
  public func members(of scope: ScopeID, _ reader: Reader) throws -> [Member] {
    let rows = try SQL(
      "SELECT id, state FROM _row WHERE \(Member.condition) AND scope = \(scope.text)"
    ).all(reader, as: String.self, Data.self)
    return rows.compactMap { id, state in
      guard let version = try? RowVersion(decoding: Array(state)), version.isLiving,
        let row = MemberRow(id: id, fields: version.unknown)
      else { return nil }
      return Member(
        id: row.account, name: row.name, role: row.role,
        since: row.since.map { Date(milliseconds: $0) })
    }.sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
  }
}
