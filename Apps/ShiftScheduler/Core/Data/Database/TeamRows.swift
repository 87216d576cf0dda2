import Foundation
public import Offshore
import OffshoreCalendar
import OffshoreFiles
import OffshoreSync

extension Team: Record {
  public static let table = Table(
    "teams", Team.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

extension PublishedShift: Record {
  public static let table = Table(
    "publishedShifts", PublishedShift.init, Column("id", \.id).primaryKey(),
    Column("teamID", \.teamID).references("teams", onDelete: .cascade),
    Column("shiftID", \.shiftID).indexed(), Column("publisherID", \.publisherID),
    Column("date", \.date), Column("duration", \.duration, as: .json), Column("symbol", \.symbol),
    Column("title", \.title), Column("color", \.color), Column("place", \.place),
    Column("workerID", \.workerID), Column("workerName", \.workerName)
  ).index(\.teamID, \.date, name: "idx_publishedShifts_day")

  /// The rows of a team on some days.
  static func rows(of team: Team.ID, in days: ClosedRange<CalendarDay>) -> Query<PublishedShift> {
    PublishedShift.where {
      $0.teamID == team && $0.date >= days.lowerBound && $0.date <= days.upperBound
    }
  }

  /// Creates the values of an own shift that the user works; `nil` if its type does not exist any more.
  init?(_ shift: ScheduledShift, in team: Team.ID, by userID: UUID, _ reader: Reader) throws {
    guard let type = try ElementRow<ShiftType>.find(shift.shiftTypeID).first(reader)?.element else {
      return nil
    }
    let location = try type.locationID.flatMap {
      try ElementRow<Location>.find($0).first(reader)?.element
    }
    self.init(
      id: DerivedID(shift.id.uuidString, team.uuidString).text, teamID: team, shiftID: shift.id,
      publisherID: userID, date: shift.date, duration: type.duration, symbol: type.symbol,
      title: type.title, color: type.color, place: location?.line ?? "", workerID: userID,
      workerName: "")
  }
}

extension SwapAnswer.Kind: ColumnValue {}
extension SwapDecision.Kind: ColumnValue {}

extension SwapOffer: Record {
  public static let table = Table(
    "swapOffers", SwapOffer.init, Column("id", \.id).primaryKey(),
    Column("teamID", \.teamID).references("teams", onDelete: .cascade),
    Column("publishedID", \.publishedID).references("publishedShifts", onDelete: .cascade)
      .indexed(),
    Column("authorID", \.authorID), Column("askedID", \.askedID), Column("date", \.date))
}

extension SwapAnswer: Record {
  public static let table = Table(
    "swapAnswers", SwapAnswer.init, Column("id", \.id).primaryKey(),
    Column("teamID", \.teamID).references("teams", onDelete: .cascade),
    Column("offerID", \.offerID).references("swapOffers", onDelete: .cascade).indexed(),
    Column("authorID", \.authorID), Column("kind", \.kind), Column("date", \.date))
}

extension SwapDecision: Record {
  package static let table = Table(
    "swapDecisions", SwapDecision.init, Column("id", \.id).primaryKey(),
    Column("teamID", \.teamID).references("teams", onDelete: .cascade),
    Column("offerID", \.offerID).references("swapOffers", onDelete: .cascade).indexed(),
    Column("kind", \.kind), Column("workerID", \.workerID))
}
