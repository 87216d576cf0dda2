package import Foundation

/// A member of a scope, as the row by which devices learn it.
///
/// The server writes these rows, and devices pull them with the other rows of the scope. No manifest
/// can declare their table, because names with an underscore at the front are reserved, so no device
/// can write them.
package struct MemberRow: Hashable, Sendable {
  /// The name of the table of members.
  package static let table = "_members"

  /// The id of the account, which is the row's id.
  package let account: UUID
  /// The name of the account.
  package let name: String
  /// The role of the account: owner, editor or viewer.
  package let role: Role
  /// The time at which the account became a member, in milliseconds since 1970, or `nil` if it is
  /// unknown.
  package let since: Int64?

  /// Creates a row.
  package init(account: UUID, name: String, role: Role, since: Int64?) {
    (self.account, self.name, self.role, self.since) = (account, name, role, since)
  }

  /// Parses a row.
  /// - Returns: `nil` if the row is not that of a member.
  package init?(id: String, fields: [String: WireValue]) {
    guard let account = UUID(sent: id), let name = fields["name"]?.string,
      case .integer(let number)? = fields["role"],
      let role = UInt8(exactly: number).flatMap(Role.init(rawValue:)), role.canRead
    else { return nil }
    var since: Int64?
    if case .integer(let time)? = fields["since"] { since = time }
    self.init(account: account, name: name, role: role, since: since)
  }

  /// The fields of the row.
  package var fields: [String: WireValue] {
    var fields = ["name": WireValue(name), "role": .integer(Int64(role.rawValue))]
    if let since { fields["since"] = .integer(since) }
    return fields
  }

  /// Returns the id of the row of an account.
  package static func id(of account: UUID) -> RowID {
    RowID(table: table, id: account.uuidString)
  }
}

extension UUID {
  /// Parses an id in the spelling in which ids are sent and stored: 36 characters with uppercase letters.
  ///
  /// NB: Foundation accepts further spellings. Ids are compared as texts, so these would be other ids.
  /// - Returns: `nil` for any other text.
  package init?(sent text: String) {
    self.init(uuidString: text)
    guard uuidString == text else { return nil }
  }
}
