public import Foundation
public import OffshoreCalendar

/// A group of people. Its owners, the schedulers, publish shifts to them.
public struct Team: Identifiable, Hashable, Sendable {
  public let id: UUID
  package var name: String

  package init(id: UUID, name: String) { (self.id, self.name) = (id, name) }
}

/// A shift as all members of a team see it: values, with nothing else of the own shift.
public struct PublishedShift: Identifiable, Hashable, Sendable {
  /// An id that is derived from those of the own shift and of the team.
  public let id: String
  package let teamID: Team.ID
  /// The id of the publisher's own shift, which may not exist any more.
  package let shiftID: ScheduledShift.ID
  package let publisherID: UUID
  package var date: CalendarDay
  package var duration: ShiftDuration
  package var symbol, title: String
  package var color: CalendarColor
  /// The name and the address of the location; empty if there is none.
  package var place: String
  /// The account that works the shift.
  package var workerID: UUID
  package var workerName: String

  /// Returns whether two shifts are at the same time.
  func overlaps(_ other: Self, in calendar: Calendar) -> Bool {
    duration.interval(on: date, in: calendar)
      .overlaps(other.duration.interval(on: other.date, in: calendar))
  }
}

/// Own shifts that are published or withdrawn together.
public enum ShiftSelection: Hashable, Sendable {
  case shifts([ScheduledShift.ID])
  case days(ClosedRange<CalendarDay>)
}

/// A change of a team by the user.
public enum TeamCommand: Hashable, Sendable {
  case save(Team)
  /// Deletes a team with its published shifts and swaps. The own shifts of its publishers stay.
  case delete(Team.ID)
  /// Publishes own shifts, or their changed values. Cancelled ones are left out.
  /// - Parameter worker: The member who works them; by default, as before or the user.
  case publish(ShiftSelection, Team.ID, worker: UUID? = nil)
  /// Withdraws published shifts: those of own shifts, or those that the user has published on some days.
  case unpublish(ShiftSelection, Team.ID)
  /// Lets another member work a published shift. An open offer of the former worker counts as withdrawn.
  case assign(PublishedShift.ID, worker: UUID)
  /// Offers a shift of the user to a member, or to all.
  case offer(SwapOffer.ID, PublishedShift.ID, to: UUID? = nil)
  case answer(SwapOffer.ID, SwapAnswer.Kind)
  /// Lets a member who has accepted an offer work the shift.
  case approve(SwapOffer.ID, taker: UUID)
  case decline(SwapOffer.ID)
}

/// The error of a command by which a member would work several shifts at the same time.
package struct TeamOverlap: Error, Equatable, Sendable {
  /// The shifts that the member works already.
  package let shifts: [PublishedShift]
}
