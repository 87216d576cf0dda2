public import Foundation

/// A yacht charter: a boat for some days, and who comes along.
public struct CharterModel: Identifiable, Equatable, Hashable, Sendable {
  /// How many guests a charter can have.
  public static let guestLimits = 1...12
  /// How many guests a charter has unless stated.
  public static let defaultGuests = 6
  /// How many characters a name may have.
  public static let maximumNameLength = 80
  /// How many characters the name of a boat may have.
  public static let maximumVesselLength = 80
  /// How many characters a destination or a region may have.
  public static let maximumPlaceLength = 120

  public let id: UUID
  /// What the skipper calls it: not blank, and at most ``maximumNameLength`` characters.
  public var name: String
  /// The boat's name or type.
  public var boatName: String?
  /// Where it starts or goes to, in the skipper's words.
  public var location: String?
  /// The sailing area.
  public var region: String?
  /// An instant of the first day, which is the day in which it lies in UTC; see ``CalendarDay``.
  public var startDate: Date
  /// An instant of the last day, which is a day of the charter too, likewise.
  public var endDate: Date
  /// When it was entered.
  public var createdAt: Date
  /// The checklist to run when the boat is taken over.
  public var checkInChecklistID: UUID?
  /// How many people come along, from 1 to 12.
  public var guests: Int
  /// Who sails along, in the order in which they were entered.
  public var crew: [CrewMember]
  /// What it may cost, where that is decided.
  public var budget: CharterBudget?
  /// Whether a server knows it as it is here; a fact about this device alone.
  public var syncStatus: SyncStatus
  /// Whether it is put away: it shows in the archive only.
  public var isArchived: Bool
  /// Whether it is the one that the user sails now.
  ///
  /// That is a choice of each user, which is told here and stored elsewhere: storing the charter does
  /// not change it. See ``CharterRepository/setActiveCharter(_:)``.
  public var isActive: Bool

  /// Creates a charter.
  public init(
    id: UUID, name: String, boatName: String?, location: String?, startDate: Date, endDate: Date,
    createdAt: Date, checkInChecklistID: UUID?, region: String? = nil,
    guests: Int = Self.defaultGuests, crew: [CrewMember] = [], budget: CharterBudget? = nil,
    syncStatus: SyncStatus = .pending, isArchived: Bool = false, isActive: Bool = false
  ) {
    self.id = id
    self.name = name
    self.boatName = boatName
    self.location = location
    self.region = region
    self.startDate = startDate
    self.endDate = endDate
    self.createdAt = createdAt
    self.checkInChecklistID = checkInChecklistID
    self.guests = guests
    self.crew = crew
    self.budget = budget
    self.syncStatus = syncStatus
    self.isArchived = isArchived
    self.isActive = isActive
  }
}

/// A member of a charter's crew.
public struct CrewMember: Equatable, Hashable, Codable, Sendable {
  /// How many characters a name may have.
  public static let maximumNameLength = 80

  public var name: String
  public var role: CrewRole

  /// Creates a member of a crew.
  public init(name: String, role: CrewRole) {
    self.name = name
    self.role = role
  }
}

/// The role of a member of the crew on board.
public enum CrewRole: String, CaseIterable, Codable, Sendable {
  case skipper
  case coSkipper
  case crew
  case guest
}

/// How far a change has got on its way to other devices.
public enum SyncStatus: String, CaseIterable, Codable, Sendable {
  /// It is on this device only.
  case pending
  /// Other devices have it, or can get it.
  case synced
  /// The exchange refused it.
  case error
}
