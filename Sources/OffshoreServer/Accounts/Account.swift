public import OffshoreWire

/// Somebody who can sign in.
public struct Account: Hashable, Sendable {
  /// What names the account to devices and other accounts.
  public let id: AccountID
  /// What its person signs in with. No two accounts have the same.
  public let name: AccountName
  /// What tells whether a password is the account's.
  public var password: PasswordHash
  /// When it was made, in milliseconds since 1970.
  public let created: Int64

  /// Describes an account.
  public init(id: AccountID, name: AccountName, password: PasswordHash, created: Int64) {
    self.id = id
    self.name = name
    self.password = password
    self.created = created
  }
}

/// An account with a role in a scope.
public struct Member: Hashable, Sendable {
  /// The account.
  public let account: AccountID
  /// What its person signs in with.
  public let name: AccountName
  /// What it may do.
  public let role: Role

  /// Describes a member.
  public init(_ account: AccountID, name: AccountName, role: Role) {
    self.account = account
    self.name = name
    self.role = role
  }
}
