import Foundation
import Offshore
import OffshoreCalendar
import OffshoreFiles
import OffshorePresentation
import OffshoreSync

/// The changes of teams inside of one write.
struct TeamWriter {
  private let writer: Writer
  private let store: SyncedStore
  private let userID: UUID
  private let calendar: Calendar
  private let keepsOverlaps: Bool

  /// - Parameters:
  ///   - calendar: The calendar with the time zone of the clock.
  ///   - keepsOverlaps: Whether a member may work several shifts at the same time.
  /// - Throws: `AuthError` if the file belongs to no account.
  init(
    _ writer: Writer, _ store: SyncedStore, _ calendar: Calendar, keepsOverlaps: Bool
  ) throws {
    guard let account = try SyncedStore.account(writer) else { throw AuthError.notSignedIn }
    (self.writer, self.store, userID) = (writer, store, account.id)
    (self.calendar, self.keepsOverlaps) = (calendar, keepsOverlaps)
  }

  /// Makes a change.
  /// - Throws: ``TeamOverlap``; ``EntryProblem``; `ContentError`, `SyncError`, `AuthError` or `ReplicaError` if
  ///   the change is not possible, any more or for this user; `DatabaseError`.
  func perform(_ command: TeamCommand) throws {
    switch command {
    case .save(let team):
      try team.check()
      try team.save(writer)
    case .delete(let id):
      guard try Team.find(id).exists(writer) else { throw ContentError.notFound }
      try Team.find(id).delete(writer)
    case .publish(let selection, let team, let worker): try publish(selection, team, worker)
    case .unpublish(let selection, let team): try unpublish(selection, from: team)
    case .assign(let shift, let worker): try assign(published(shift), to: worker)
    case .offer(let id, let shift, let asked): try offer(id, published(shift), to: asked)
    case .answer(let id, let kind): try answer(openSwap(id), kind)
    case .approve(let id, let taker): try approve(openSwap(id), taker)
    case .decline(let id):
      let swap = try openSwap(id)
      try decide(swap, .declined, worker: swap.offer.authorID)
    }
  }

  /// Returns the name of a member.
  private func name(of account: UUID, in team: Team.ID) throws -> String {
    guard let name = try TeamBoard.members(of: team, store, writer)[account] else {
      throw ContentError.notFound
    }
    return name
  }

  private func published(_ id: PublishedShift.ID) throws -> PublishedShift {
    guard let shift = try PublishedShift.find(id).first(writer) else {
      throw ContentError.notFound
    }
    return shift
  }

  // MARK: - Publishing

  private func publish(_ selection: ShiftSelection, _ team: Team.ID, _ worker: UUID?) throws {
    guard try Team.find(team).exists(writer) else { throw ContentError.notFound }
    var changed: [PublishedShift] = []
    for shift in try ownShifts(selection) where shift.status != .cancelled {
      guard var new = try PublishedShift(shift, in: team, by: userID, writer) else {
        throw ValidationError.missingRequiredFields
      }
      let former = try PublishedShift.find(new.id).first(writer)
      new.workerID = worker ?? former?.workerID ?? userID
      let isSame = former?.workerID == new.workerID
      new.workerName = try isSame ? former?.workerName ?? "" : name(of: new.workerID, in: team)
      if let former { try former.update(changing: new, writer) } else { try new.insert(writer) }
      if new != former { changed.append(new) }
    }
    try checkOverlaps(of: changed)
  }

  private func ownShifts(_ selection: ShiftSelection) throws -> [ScheduledShift] {
    switch selection {
    case .days(let days): try ScheduledShift.rows(in: days).all(writer).map(\.element)
    case .shifts(let ids):
      try ids.compactMap { try ElementRow<ScheduledShift>.find($0).first(writer)?.element }
    }
  }

  private func unpublish(_ selection: ShiftSelection, from team: Team.ID) throws {
    let rows =
      switch selection {
      case .shifts(let ids): PublishedShift.where { $0.teamID == team && $0.shiftID.in(ids) }
      case .days(let days):
        PublishedShift.rows(of: team, in: days).where { $0.publisherID == userID }
      }
    try rows.delete(writer)
  }

  /// Changes who works a shift.
  private func assign(_ shift: PublishedShift, to worker: UUID) throws {
    var new = shift
    (new.workerID, new.workerName) = (worker, try name(of: worker, in: shift.teamID))
    try checkOverlaps(of: [new])
    try shift.update(changing: new, writer)
  }

  /// Checks that the workers of shifts work no others at the same time.
  private func checkOverlaps(of shifts: [PublishedShift]) throws {
    guard !keepsOverlaps else { return }
    var found: [PublishedShift] = []
    for shift in shifts {
      let days = (shift.date...shift.date).withNeighbors
      found += try PublishedShift.rows(of: shift.teamID, in: days)
        .where { $0.workerID == shift.workerID && $0.id != shift.id }
        .all(writer).filter { $0.overlaps(shift, in: calendar) && !found.contains($0) }
    }
    guard found.isEmpty else { throw TeamOverlap(shifts: found) }
  }

  // MARK: - Swaps

  private func offer(_ id: SwapOffer.ID, _ shift: PublishedShift, to asked: UUID?) throws {
    guard shift.workerID == userID, asked != userID else { throw AuthError.forbidden }
    if let asked { _ = try name(of: asked, in: shift.teamID) }
    try SwapOffer(
      id: id, teamID: shift.teamID, publishedID: shift.id, authorID: userID, askedID: asked,
      date: store.now()
    ).save(writer)
  }

  private func answer(_ swap: Swap, _ kind: SwapAnswer.Kind) throws {
    guard swap.allows(kind, by: userID) else { throw AuthError.forbidden }
    var taken = swap.shift
    taken.workerID = userID
    if kind == .accepted { try checkOverlaps(of: [taken]) }
    try SwapAnswer(
      id: DerivedID(swap.id.uuidString, userID.uuidString).text, teamID: taken.teamID,
      offerID: swap.id, authorID: userID, kind: kind, date: store.now()
    ).save(writer)
  }

  private func approve(_ swap: Swap, _ taker: UUID) throws {
    guard case .accepted(let takers) = swap.state, takers.contains(taker) else {
      throw SyncError.conflict
    }
    try assign(swap.shift, to: taker)
    try decide(swap, .approved, worker: taker)
  }

  private func decide(_ swap: Swap, _ kind: SwapDecision.Kind, worker: UUID) throws {
    try SwapDecision(
      id: DerivedID(swap.id.uuidString, kind.rawValue).text, teamID: swap.shift.teamID,
      offerID: swap.id, kind: kind, workerID: worker
    ).save(writer)
  }

  private func openSwap(_ id: SwapOffer.ID) throws -> Swap {
    guard let offer = try SwapOffer.find(id).first(writer),
      let swap = try Swap.all(of: published(offer.publishedID), writer).first(where: {
        $0.id == id
      })
    else { throw ContentError.notFound }
    guard swap.isOpen else { throw SyncError.conflict }
    return swap
  }
}
