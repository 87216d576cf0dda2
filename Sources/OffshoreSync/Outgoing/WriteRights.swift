import Offshore
import OffshoreWire

/// The rows that the account may write, as far as the device knows its roles.
struct WriteRights {
  private let reader: Reader
  private let account: WireValue?
  /// The roles in scopes, each read once.
  private var roles: [ScopeID: Role?] = [:]

  /// - Parameter account: the id of the account, or `nil` if it is not known.
  init(reader: Reader, account: String?) {
    self.reader = reader
    self.account = account.map { WireValue($0) }
  }

  /// Returns whether the account may insert, change or delete a row with some values.
  /// - Parameter values: the values by the names of the columns in messages.
  mutating func allow(
    _ values: [String: WireValue], of id: String?, in table: SyncTable
  ) throws -> Bool {
    if table.writers == .members { return true }
    let value = table.scopeColumn == table.idColumn ? id : values[table.sentScopeColumn]?.string
    let role = try role(in: value, of: table.scopeKind)
    if let role, table.writers == .owners ? role != .owner : !role.canWrite { return false }
    guard let account, let author = table.sentWriters.author(in: values) else { return true }
    return author == account
  }

  /// Returns the role in a scope, or `nil` if none was ever granted.
  private mutating func role(in value: String?, of kind: String) throws -> Role? {
    guard let value, let scope = try? ScopeID(kind: kind, value: value) else { return nil }
    if let role = roles[scope] { return role }
    let role = try ScopeCursor.of(scope, reader).shownRole
    roles[scope] = .some(role)
    return role
  }
}
