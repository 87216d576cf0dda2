import Foundation

extension Address {
  /// The page on which somebody takes part in a charter by a code.
  static let joinCharter = "/charters/join"

  /// The page of those with access to a charter.
  static func crew(_ charter: UUID) -> String { "\(self.charter(charter))/crew" }

  /// Where it is posted as what somebody is to be invited.
  static func invite(to charter: UUID) -> String { "\(crew(charter))/invite" }

  /// Where it is posted that an invitation is to be taken back.
  static func withdraw(_ invitation: String, from charter: UUID) -> String {
    "\(crew(charter))/invitations/\(invitation)/withdraw"
  }

  /// Where it is posted that one leaves.
  static func leave(_ charter: UUID) -> String { "\(crew(charter))/leave" }

  /// Where another role of a member is posted.
  static func role(of member: UUID, in charter: UUID) -> String {
    "\(crew(charter))/members/\(member.uuidString)/role"
  }

  /// Where it is posted that a member is to take part no more.
  static func remove(_ member: UUID, from charter: UUID) -> String {
    "\(crew(charter))/members/\(member.uuidString)/remove"
  }
}
