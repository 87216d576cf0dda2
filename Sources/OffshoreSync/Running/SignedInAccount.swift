public import Foundation
public import OffshoreWire

/// An account as a server describes it when a device signs in.
public struct SignedInAccount: Hashable, Sendable, Decodable {
  /// The id of the account, which owns the rows that the user creates.
  public let id: UUID
  /// The name of the account.
  public let name: String
  /// The access token, which is a secret.
  public let token: String

  private enum CodingKeys: String, CodingKey {
    case name, token
    case id = "account"
  }
}

/// A member of a scope.
public struct ScopeMember: Hashable, Sendable, Identifiable, Decodable {
  /// The id of the account.
  public let id: UUID
  /// The name of the account.
  public let name: String
  /// The role of the member.
  public let role: Role
  /// The devices with which the member has changed the scope; empty if an older server does not
  /// send them.
  public let devices: [UUID]

  private enum CodingKeys: String, CodingKey {
    case name, role, devices
    case id = "account"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    role = try container.decode(Role.self, forKey: .role)
    devices = try container.decodeIfPresent([UUID].self, forKey: .devices) ?? []
  }
}

/// An invitation that has not been accepted yet, as an owner sees it.
public struct OpenInvitation: Hashable, Sendable, Identifiable, Decodable {
  /// The id of the invitation, which is not its code.
  public let id: String
  /// The role of the new member.
  public let role: Role
  /// The time at which it expires, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
}

/// A code by which one other account becomes a member of a scope.
public struct ScopeInvitation: Hashable, Sendable, Identifiable, Decodable {
  /// The id of the invitation, as in ``OpenInvitation``.
  public let id: String
  /// The code, which is a secret until it is used.
  public let code: String
  /// The role of the new member.
  public let role: Role
  /// The time at which it expires, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
}
