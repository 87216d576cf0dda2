public import Foundation

/// What a server tells of an account when a device signs in.
public struct SignedInAccount: Hashable, Sendable, Decodable {
  /// The id, which owns what the account's person makes.
  public let id: UUID
  /// What its person signs in with.
  public let name: String
  /// What lets the device in. It is a secret.
  public let token: String

  private enum CodingKeys: String, CodingKey {
    case name, token
    case id = "account"
  }
}

/// Somebody who takes part in a scope.
public struct ScopeMember: Hashable, Sendable, Identifiable, Decodable {
  /// What a member may do.
  public enum Role: String, Hashable, Sendable, CaseIterable, Codable {
    /// Everything, and letting others in.
    case owner
    /// Reading and writing.
    case editor
    /// Reading.
    case viewer
  }

  /// The id of the account.
  public let id: UUID
  /// What its person signs in with.
  public let name: String
  public let role: Role

  private enum CodingKeys: String, CodingKey {
    case name, role
    case id = "account"
  }
}

/// An invitation that nobody has accepted yet, as owners see it.
public struct OpenInvitation: Hashable, Sendable, Identifiable, Decodable {
  /// What names it; it lets nobody in.
  public let id: String
  public let role: ScopeMember.Role
  /// Until when it can be accepted, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
}

/// What lets one other account take part in a scope.
public struct ScopeInvitation: Hashable, Sendable, Decodable {
  /// What the other enters. It is a secret until then.
  public let code: String
  public let role: ScopeMember.Role
  /// Until when it can be accepted, in milliseconds since 1970 by the server's clock.
  public let expires: Int64
}
