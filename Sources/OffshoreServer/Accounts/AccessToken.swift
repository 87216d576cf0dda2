public import OffshoreWire

/// What a server keeps of a bearer token, by which a device is let in without its password.
public struct AccessToken: Hashable, Sendable {
  /// The hash of its secret.
  public let hash: ContentHash
  /// Who is let in.
  public let account: AccountID
  /// What the person calls the device.
  public let label: String
  /// When it was given, in milliseconds since 1970.
  public let created: Int64
  /// When it ends, in milliseconds since 1970.
  public let expires: Int64

  /// Describes a token.
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
