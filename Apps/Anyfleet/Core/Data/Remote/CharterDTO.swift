public import Foundation

/// A charter as a server's row API spells it.
public struct CharterDTO: Hashable, Sendable, Codable {
  /// Where the rows of all charters are.
  public static let path = "v1/tables/charters/rows"

  /// Where the row of a charter is.
  public static func path(of id: UUID) -> String { "\(path)/\(id.uuidString)" }

  /// The charter's id.
  public let id: String
  /// What is stored of it.
  public var values: Values

  /// The columns of a charter that are synced.
  public struct Values: Hashable, Sendable, Decodable {
    public var name: String
    public var boatName: String?
    public var location: String?
    public var region: String?
    /// An instant of the first day, in seconds since 2001-01-01 00:00:00 UTC, as are all dates.
    public var startDate: Double
    public var endDate: Double
    public var createdAt: Double
    public var checkInChecklistID: String?
    public var guests: Int
    /// The crew as a JSON array, which the server keeps as the text that it is.
    public var crew: String
    /// The budget as a JSON object, likewise.
    public var budget: String?
    /// 1 where it is put away, else 0.
    public var isArchived: Int
  }
}

extension CharterDTO.Values: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, boatName, location, region, startDate, endDate, createdAt, checkInChecklistID
    case guests, crew, budget, isArchived
  }

  /// Spells what there is none of as `null`, which takes away what was there.
  public func encode(to encoder: any Encoder) throws {
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
  /// Spells a charter.
  /// - Throws: ``RepositoryError``: `serializationFailed` with the column that no text stands for.
  public init(_ charter: CharterModel) throws {
    let column = Columns(row: charter.id.uuidString)
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

  /// The charter. Which one is active the server does not say here.
  /// - Throws: ``RepositoryError``: `serializationFailed` with the column that cannot be read.
  public func charter() throws -> CharterModel {
    let column = Columns(row: id)
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

/// Reads and spells the values of one row's columns, and names the one that fails.
private struct Columns {
  let row: String

  func date(_ seconds: Double, _ name: String) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try checked(seconds, name, Self.dates.contains))
  }

  func seconds(_ date: Date, _ name: String) throws -> Double {
    try checked(date.timeIntervalSinceReferenceDate, name, Self.dates.contains)
  }

  /// The years 0001 to 4000, beyond which there is no calendar that pages could show.
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
