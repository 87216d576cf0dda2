import AnyfleetTestSupport
import Foundation
import OffshoreCalendar
import TestSupport
import Testing

@testable import Anyfleet

struct CharterPhaseTests {
  /// Creates a charter between two days of June; the hours do not matter.
  private func charter(_ first: Int, _ last: Int) -> CharterModel {
    var charter = CharterModel.sample("\(first)–\(last)", from: .day(6, first))
    charter.endDate = .day(6, last).addingTimeInterval(-6 * 3600)
    return charter
  }

  @Test(arguments: [
    (6, 13, CharterPhase.upcoming), (5, 13, .inProgress), (1, 5, .inProgress),
    (5, 5, .inProgress),
    (1, 4, .past),
  ]) func `The phase is decided by days, and a charter that ends today is not past`(
    _ first: Int, _ last: Int, _ phase: CharterPhase
  ) {
    for hours in [-11.5, 0, 11.5] {
      let now = Date.day(6, 5).addingTimeInterval(hours * 3600)
      #expect(charter(first, last).phase(on: CalendarDay(containing: now)) == phase)
    }
  }

  @Test func `The time zone decides which day it is`() throws {
    let tokyo = try Calendar.gregorian(in: "Asia/Tokyo")
    // 18:00 UTC on the fifth is the sixth in Tokyo.
    let now = Date.day(6, 5).addingTimeInterval(6 * 3600)
    #expect(charter(1, 5).phase(on: CalendarDay(civilDayOf: now, in: .utc)) == .inProgress)
    #expect(charter(1, 5).phase(on: CalendarDay(civilDayOf: now, in: tokyo)) == .past)
  }

  @Test func `A charter has one phase, even if it ends before it starts`() {
    let today = CalendarDay(containing: .day(6, 6))
    var charter = CharterModel.sample(from: .day(6, 7))
    charter.endDate = .day(6, 1)
    #expect(charter.phase(on: today) == .upcoming)
    charter.startDate = today.start
    #expect(charter.phase(on: today) == .past)
    charter.endDate = today.start
    #expect(charter.phase(on: today) == .inProgress)
  }

  @Test(arguments: [
    (Decimal(0), "EUR", true), (12.5, "HRK", true), (-1, "EUR", false), (1, "eur", false),
    (1, "EURO", false), (1, "", false), (.nan, "EUR", false),
  ]) func `A valid budget has no negative amount, and a currency of three capital letters`(
    _ amount: Decimal, _ currency: String, _ isValid: Bool
  ) {
    #expect(CharterBudget(amount: amount, currencyCode: currency).isValid == isValid)
  }

  @Test func `A budget with an invalid line is invalid`() {
    let line = CharterBudget.Line(title: "Deposit returned", amount: -100)
    #expect(!CharterBudget(amount: 1, currencyCode: "EUR", lines: [line]).isValid)
  }
}
