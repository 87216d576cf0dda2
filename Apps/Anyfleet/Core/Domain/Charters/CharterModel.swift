public import Foundation

/// A yacht charter: a boat for some days, with its crew.
public struct CharterModel: Identifiable, Equatable, Hashable, Sendable {
  /// The allowed numbers of guests.
  public static let guestLimits = 1...12
  /// The default number of guests.
  public static let defaultGuests = 6
  /// The maximum number of characters of a name.
  public static let maximumNameLength = 80
  /// The maximum number of characters of a boat's name.
  public static let maximumVesselLength = 80
  /// The maximum number of characters of a destination or a region.
  public static let maximumPlaceLength = 120

  public let id: UUID
  /// The name that the skipper chose: not blank, and at most ``maximumNameLength`` characters.
  public var name: String
  /// The boat's name or type.
  public var boatName: String?
  /// The start or destination, in the skipper's words.
  public var location: String?
  /// The sailing area.
  public var region: String?
  /// An instant of the first day, which is its date in UTC; see ``CalendarDay``.
  public var startDate: Date
  /// An instant of the last day, which is its date in UTC and belongs to the charter.
  public var endDate: Date
  /// The time at which the charter was created.
  public var createdAt: Date
  /// The checklist to run when the boat is taken over.
  public var checkInChecklistID: UUID?
  /// The number of guests, from 1 to 12.
  public var guests: Int
  /// The crew, in the order of entry.
  public var crew: [CrewMember]
  /// The budget, if one was entered.
  public var budget: CharterBudget?
  /// Whether the server has this version of the charter. It is not synced itself.
  public var syncStatus: SyncStatus
  /// Whether the charter is archived, so that only the archive shows it.
  public var isArchived: Bool
  /// Whether the charter is the active one, which the user sails now.
  ///
  /// It is a choice of each user and stored separately: storing the charter does not change it. See
  /// ``CharterRepository/setActiveCharter(_:)``.
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
  /// The maximum number of characters of a name.
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

/// The sync status of a row on this device.
public enum SyncStatus: String, CaseIterable, Codable, Sendable {
  /// The latest change is on this device only.
  case pending
  /// The server has the latest change.
  case synced
  /// The server refused the latest change.
  case error
}
