import AnyfleetTestSupport
import Foundation
import TestSupport
import Testing

@testable import Anyfleet

struct CharterDTOTests {
  private var charter: CharterModel {
    get throws {
      var charter = CharterModel.sample("Kornati & “Šibenik”")
      (charter.boatName, charter.location, charter.region) = ("Alma", "Biograd", "Dalmatia")
      (charter.checkInChecklistID, charter.guests) = (UUID(), 4)
      charter.crew = [
        CrewMember(name: "A “B”", role: .coSkipper), CrewMember(name: "C", role: .guest),
      ]
      charter.startDate = charter.startDate.addingTimeInterval(0.25)
      let amount = try #require(Decimal(string: "1234567890123456.789"))
      charter.budget = CharterBudget(
        amount: amount, currencyCode: "EUR", lines: [.init(title: "Mooring", amount: Decimal(0.1))])
      (charter.isArchived, charter.syncStatus) = (true, .synced)
      return charter
    }
  }

  private func coded(_ charter: CharterDTO) throws -> CharterDTO {
    try JSONDecoder().decode(CharterDTO.self, from: JSONEncoder().encode(charter))
  }

  @Test func `A charter survives encoding and decoding exactly, to the last digit`() throws {
    let charter = try charter
    #expect(try coded(CharterDTO(charter)).charter() == charter)
    var bare = CharterModel.sample()
    bare.syncStatus = .synced
    #expect(try coded(CharterDTO(bare)).charter() == bare)
  }

  @Test func `Dates are encoded as in the row API`() throws {
    let values = try CharterDTO(charter).values
    #expect(values.startDate == Date.day(6, 6).timeIntervalSinceReferenceDate + 0.25)
    #expect(values.budget?.contains("1234567890123456.789") == true && values.isArchived == 1)
  }

  @Test func `Absent values are encoded as null, so that the server clears them`() throws {
    let json = try JSONEncoder().encode(CharterDTO(.sample()))
    let values = try #require(
      (JSONSerialization.jsonObject(with: json) as? [String: Any])?["values"] as? [String: Any])
    for column in ["boatName", "location", "region", "checkInChecklistID", "budget"] {
      #expect(values[column] is NSNull, "\(column)")
    }
  }

  /// An invalid value, and its column.
  struct Damage: Sendable {
    let column: String
    let isDone: @Sendable (inout CharterDTO.Values) -> Void

    init(_ column: String, _ isDone: @escaping @Sendable (inout CharterDTO.Values) -> Void) {
      (self.column, self.isDone) = (column, isDone)
    }
  }

  fileprivate static let damages = [
    Damage("startDate") { $0.startDate = .infinity }, Damage("endDate") { $0.endDate = .nan },
    Damage("createdAt") { $0.createdAt = 1e300 },
    Damage("checkInChecklistID") { $0.checkInChecklistID = "none" },
    Damage("guests") { $0.guests = 13 }, Damage("isArchived") { $0.isArchived = 2 },
    Damage("crew") { $0.crew = #"[{"name":"A","role":"admiral"}]"# },
    Damage("budget") { $0.budget = "{}" },
    Damage("budget") { $0.budget = #"{"amount":-1,"currencyCode":"EUR","lines":[]}"# },
    Damage("budget") { $0.budget = #"{"amount":1,"currencyCode":"euro","lines":[]}"# },
  ]

  @Test(arguments: damages.indices)
  func `An unreadable value is reported with its column`(_ number: Int) throws {
    let damage = Self.damages[number]
    var damaged = try CharterDTO(charter)
    damage.isDone(&damaged.values)
    #expect(throws: RepositoryError.serializationFailed(row: damaged.id, column: damage.column)) {
      try damaged.charter()
    }
  }

  @Test func `An invalid id and a date out of range are reported with their columns`() throws {
    let json = try JSONEncoder().encode(CharterDTO(charter))
    let text = String(decoding: json, as: UTF8.self)
    let other = text.replacing(/"id":"[^"]+"/, with: #""id":"c1""#)
    let strange = try JSONDecoder().decode(CharterDTO.self, from: Data(other.utf8))
    #expect(throws: RepositoryError.serializationFailed(row: "c1", column: "id")) {
      try strange.charter()
    }
    var late = try charter
    late.endDate = .distantFuture.addingTimeInterval(1)
    #expect(throws: RepositoryError.serializationFailed(row: late.id.uuidString, column: "endDate"))
    {
      try CharterDTO(late)
    }
    var dear = try charter
    dear.budget?.amount = .nan
    #expect(throws: RepositoryError.serializationFailed(row: dear.id.uuidString, column: "budget"))
    {
      try CharterDTO(dear)
    }
  }
}
