public import OffshoreWire

/// An access token as a server stores it.
public struct AccessToken: Hashable, Sendable {
  /// The hash of the secret.
  public let hash: ContentHash
  /// The account that the token authenticates.
  public let account: AccountID
  /// The user's name for the device.
  public let label: String
  /// The time of the sign-in, in milliseconds since 1970.
  public let created: Int64
  /// The time at which the token expires, in milliseconds since 1970.
  public let expires: Int64

  /// Creates a token.
  public init(
    hash: ContentHash, account: AccountID, label: String, created: Int64, expires: Int64
  ) {
    self.hash = hash
    self.account = account
    self.label = label
    self.created = created
    self.expires = expires
  }
}
