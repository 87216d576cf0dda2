public import OffshoreWire

/// The account of a user.
public struct Account: Hashable, Sendable {
  /// The identifier of the account for devices and other accounts.
  public let id: AccountID
  /// The name that the user signs in with, unique on the server.
  public let name: AccountName
  /// The hash of the password.
  public var password: PasswordHash
  /// The time of the sign-up, in milliseconds since 1970.
  public let created: Int64

  /// Creates an account.
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
  /// The name that the user signs in with.
  public let name: AccountName
  /// The role in the scope.
  public let role: Role

  /// Creates a member.
  public init(_ account: AccountID, name: AccountName, role: Role) {
    self.account = account
    self.name = name
    self.role = role
  }
}
