package import Foundation

/// A charter as represented in the server's row API.
package struct CharterDTO: Hashable, Sendable, Codable {
  /// The path of the rows of all charters.
  package static let path = "v1/tables/charters/rows"

  /// Returns the path of a charter's row.
  package static func path(of id: UUID) -> String { "\(path)/\(id.uuidString)" }

  /// The id of the charter.
  package let id: String
  /// The values of the row.
  package var values: Values

  /// The synced columns of a charter.
  package struct Values: Hashable, Sendable, Decodable {
    package var name: String
    package var boatName: String?
    package var location: String?
    package var region: String?
    /// An instant of the first day, in seconds since 2001-01-01 00:00:00 UTC, like all dates here.
    package var startDate: Double
    package var endDate: Double
    package var createdAt: Double
    package var checkInChecklistID: String?
    package var guests: Int
    /// The crew as a JSON array, which the server stores as text.
    package var crew: String
    /// The budget as a JSON object, which the server stores as text.
    package var budget: String?
    /// 1 if the charter is archived, otherwise 0.
    package var isArchived: Int
  }
}

extension CharterDTO.Values: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, boatName, location, region, startDate, endDate, createdAt, checkInChecklistID
    case guests, crew, budget, isArchived
  }

  /// Encodes missing values as `null`, which clears them on the server.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(boatName, forKey: .boatName)
    try values.encode(location, forKey: .location)
    try values.encode(region, forKey: .region)
    try values.encode(startDate, forKey: .startDate)
    try values.encode(endDate, forKey: .endDate)
    try values.encode(createdAt, forKey: .createdAt)
    try values.encode(checkInChecklistID, forKey: .checkInChecklistID)
    try values.encode(guests, forKey: .guests)
    try values.encode(crew, forKey: .crew)
    try values.encode(budget, forKey: .budget)
    try values.encode(isArchived, forKey: .isArchived)
  }
}

// MARK: - Charters

extension CharterDTO {
  /// Creates the representation of a charter.
  /// - Throws: ``RepositoryError`` with `serializationFailed` and the column whose value is not
  ///   valid.
  package init(_ charter: CharterModel) throws {
    let column = ColumnConverter(row: charter.id.uuidString)
    id = charter.id.uuidString
    values = Values(
      name: charter.name, boatName: charter.boatName, location: charter.location,
      region: charter.region, startDate: try column.seconds(charter.startDate, "startDate"),
      endDate: try column.seconds(charter.endDate, "endDate"),
      createdAt: try column.seconds(charter.createdAt, "createdAt"),
      checkInChecklistID: charter.checkInChecklistID?.uuidString, guests: charter.guests,
      crew: try column.json(charter.crew, "crew"),
      budget: try charter.budget.map {
        try column.json(try column.checked($0, "budget", \.isValid), "budget")
      },
      isArchived: charter.isArchived ? 1 : 0)
  }

  /// Returns the charter. `isActive` is `false`, because the choice is not part of the row.
  /// - Throws: ``RepositoryError`` with `serializationFailed` and the column whose value is not
  ///   valid.
  package func charter() throws -> CharterModel {
    let column = ColumnConverter(row: id)
    let budget = try values.budget.map { try column.value(CharterBudget.self, $0, "budget") }
    return CharterModel(
      id: try column.id(id, "id"), name: values.name, boatName: values.boatName,
      location: values.location, startDate: try column.date(values.startDate, "startDate"),
      endDate: try column.date(values.endDate, "endDate"),
      createdAt: try column.date(values.createdAt, "createdAt"),
      checkInChecklistID: try values.checkInChecklistID.map {
        try column.id($0, "checkInChecklistID")
      }, region: values.region,
      guests: try column.checked(values.guests, "guests", CharterModel.guestLimits.contains),
      crew: try column.value([CrewMember].self, values.crew, "crew"),
      budget: try budget.map { try column.checked($0, "budget", \.isValid) },
      syncStatus: .synced,
      isArchived: try column.checked(values.isArchived, "isArchived", (0...1).contains) == 1)
  }
}

/// A converter for the values of a row's columns, which reports errors with the column's name.
private struct ColumnConverter {
  let row: String

  func date(_ seconds: Double, _ name: String) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try checked(seconds, name, Self.dates.contains))
  }

  func seconds(_ date: Date, _ name: String) throws -> Double {
    try checked(date.timeIntervalSinceReferenceDate, name, Self.dates.contains)
  }

  /// The years 1 to 4000, the range of `Date.distantPast` and `Date.distantFuture`.
  private static let dates =
    Date.distantPast
    .timeIntervalSinceReferenceDate...Date.distantFuture
    .timeIntervalSinceReferenceDate

  func id(_ text: String, _ name: String) throws -> UUID {
    guard let id = UUID(uuidString: text) else { throw failure(name) }
    return id
  }

  func json(_ value: some Encodable, _ name: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw failure(name, error)
    }
  }

  func value<Value: Decodable>(_: Value.Type, _ text: String, _ name: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw failure(name, error)
    }
  }

  func checked<Value>(_ value: Value, _ name: String, _ isMet: (Value) -> Bool) throws -> Value {
    guard isMet(value) else { throw failure(name) }
    return value
  }

  private func failure(_ name: String, _ cause: (any Error)? = nil) -> RepositoryError {
    RepositoryError(.serializationFailed(row: row, column: name), cause: cause)
  }
}
