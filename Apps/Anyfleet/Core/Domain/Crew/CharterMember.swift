public import Foundation

/// Somebody with access to a charter. Who sails along is something else: ``CrewMember``.
public struct CharterMember: Equatable, Identifiable, Sendable {
  /// The id of their account.
  public let id: UUID
  /// What they sign in with.
  public let name: String
  public let role: CharterRole
}

/// An invitation to a charter that nobody has accepted yet.
public struct PendingInvitation: Equatable, Identifiable, Sendable {
  /// What names it; it lets nobody in.
  public let id: String
  public let role: CharterRole
  /// Until when it can be used.
  public let expires: Date
}

/// What lets one other person take part in a charter.
public struct CharterInvitation: Equatable, Sendable {
  /// What the other enters. It is a secret until then.
  public let code: String
  public let role: CharterRole
  /// Until when it can be used.
  public let expires: Date
}
