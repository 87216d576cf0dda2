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

/// A device that is signed in to an account.
public struct SignedInDevice: Hashable, Sendable, Identifiable, Decodable {
  /// The id of the sign-in, which is not its access token.
  public let id: String
  /// The name of the device; empty if it has sent none.
  public let name: String
  /// The time of the sign-in, in milliseconds since 1970 by the server's clock.
  public let since: Int64
  /// The time at which the sign-in expires, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
  /// Whether the list was requested with the token of this device.
  public let isCurrent: Bool

  private enum CodingKeys: String, CodingKey {
    case id, expires, isCurrent
    case name = "device"
    case since = "created"
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

/// An invitation that can still be used, as an owner sees it.
public struct OpenInvitation: Hashable, Sendable, Identifiable, Decodable {
  /// The id of the invitation, which is not its code.
  public let id: String
  /// The role of a new member.
  public let role: Role
  /// The time at which it expires, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
  /// The number of accounts that can still use the code; `nil` from a former version of the server, for
  /// one.
  public let uses: Int?
  /// The note for the owners.
  public let label: String?
}

/// A code by which other accounts become members of a scope.
public struct ScopeInvitation: Hashable, Sendable, Identifiable, Decodable {
  /// The id of the invitation, as in ``OpenInvitation``.
  public let id: String
  /// The code, which is a secret until it is used.
  public let code: String
  /// The role of a new member.
  public let role: Role
  /// The time at which it expires, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
  /// The number of accounts that can still use the code; `nil` from a former version of the server, for
  /// one.
  public let uses: Int?
}

/// The preview of an invitation, for an account that has its code.
public struct InvitationPreview: Hashable, Sendable, Decodable {
  /// The scope as its kind and its value, such as `list/7`.
  public let scope: String
  /// The role of a new member.
  public let role: Role
  /// The name of the scope when the invitation was created, if its author has sent one.
  public let title: String?
  /// The name of the owner who invites.
  public let inviter: String?
  /// The number of members.
  public let members: Int
  /// The time at which it expires, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
}
