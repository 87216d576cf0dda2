public import Foundation

/// The offer of a member to let another one work a shift.
public struct SwapOffer: Identifiable, Hashable, Sendable {
  public let id: UUID
  package let teamID: Team.ID
  package let publishedID: PublishedShift.ID
  package let authorID: UUID
  /// The member who is asked; `nil` if all are.
  package let askedID: UUID?
  package let date: Date
}

/// The answer of a member to an offer. Each member has one.
public struct SwapAnswer: Identifiable, Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case accepted, declined
    /// The author takes the offer back.
    case withdrawn
  }

  public let id: String
  package let teamID: Team.ID
  package let offerID: SwapOffer.ID
  package let authorID: UUID
  package var kind: Kind
  package var date: Date
}

/// The decision of a scheduler about an offer. Each offer has one of each kind at most.
package struct SwapDecision: Identifiable, Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case approved, declined
  }

  package let id: String
  package let teamID: Team.ID
  package let offerID: SwapOffer.ID
  package let kind: Kind
  /// The member who works the shift from then on.
  package var workerID: UUID
}

/// An offer with all answers and decisions.
package struct Swap: Identifiable, Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case offered
    /// The members who would work the shift, in the order of their answers.
    case accepted(by: [UUID])
    case approved(for: UUID)
    case withdrawn, declined
  }

  package let offer: SwapOffer
  package let shift: PublishedShift
  package let answers: [SwapAnswer]
  package let decisions: [SwapDecision]

  package var id: SwapOffer.ID { offer.id }

  /// The state, which depends on the rows alone, and not on the order in which they arrived.
  ///
  /// An approval outlasts everything, such as a withdrawal by a member who did not know of it. An offer by
  /// another member than the worker counts as withdrawn.
  package var state: State {
    if let approval = decisions.first(where: { $0.kind == .approved }) {
      return .approved(for: approval.workerID)
    }
    if !decisions.isEmpty { return .declined }
    let isWithdrawn = answers.contains { $0.authorID == offer.authorID && $0.kind == .withdrawn }
    guard !isWithdrawn, offer.authorID == shift.workerID else { return .withdrawn }
    let asked = answers.filter { isAsked($0.authorID) }
    if offer.askedID != nil, asked.contains(where: { $0.kind == .declined }) { return .declined }
    let takers = asked.filter { $0.kind == .accepted }
      .sorted { ($0.date, $0.id) < ($1.date, $1.id) }
    return takers.isEmpty ? .offered : .accepted(by: takers.map(\.authorID))
  }

  /// Whether it can still be answered and decided.
  package var isOpen: Bool {
    switch state {
    case .offered, .accepted: true
    case .approved, .withdrawn, .declined: false
    }
  }

  /// Returns whether an answer of a kind is that of a member.
  package func allows(_ kind: SwapAnswer.Kind, by member: UUID) -> Bool {
    kind == .withdrawn ? member == offer.authorID : isAsked(member)
  }

  private func isAsked(_ member: UUID) -> Bool {
    member != offer.authorID && offer.askedID ?? member == member
  }
}
