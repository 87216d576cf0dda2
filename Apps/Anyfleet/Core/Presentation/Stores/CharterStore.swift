public import Foundation
public import Observation
public import OffshorePresentation

/// The charters, as all screens share them.
@MainActor @Observable
public final class CharterStore {
  private let repository: any CharterRepository
  private let live: Live<ReadableRows<CharterModel>>
  private let now: @MainActor () -> Date
  private let calendar: @MainActor () -> Calendar
  private let makeID: @MainActor () -> UUID

  /// Takes what the store needs.
  ///
  /// - Parameters:
  ///   - repository: stores the charters.
  ///   - now: the current date.
  ///   - calendar: the calendar whose days tell what is past.
  ///   - makeID: makes the ids of new charters.
  public init(
    repository: any CharterRepository, now: @escaping @MainActor () -> Date = { Date() },
    calendar: @escaping @MainActor () -> Calendar = { .autoupdatingCurrent },
    makeID: @escaping @MainActor () -> UUID = { UUID() }
  ) {
    self.repository = repository
    self.now = now
    self.calendar = calendar
    self.makeID = makeID
    live = Live { repository.charters() }
  }

  // MARK: - What there is

  /// The charters by their start, as a screen shows them.
  public var charterState: ViewState<[CharterModel]> { live.state.flatMap(\.state) }

  /// Why charters are left out, where some cannot be read.
  public var unreadable: [AppError] { live.state.data?.unreadable.map(\.asAppError) ?? [] }

  /// Why the charters shown may be out of date, where they may.
  public var refreshError: AppError? { live.refreshError }

  /// The charters by their start; none while they are not loaded.
  public var charters: [CharterModel] { live.state.data?.rows ?? [] }

  /// Those that start on a later day, soonest start first.
  public var upcomingCharters: [CharterModel] { charters(in: .upcoming) }

  /// Those of which today is a day.
  public var inProgressCharters: [CharterModel] { charters(in: .inProgress) }

  /// Those whose last day is over, newest end first.
  public var pastCharters: [CharterModel] { charters(in: .past) }

  /// Where a charter lies in time, today.
  public func phase(of charter: CharterModel) -> CharterPhase {
    charter.phase(at: now(), in: calendar())
  }

  private func charters(in phase: CharterPhase) -> [CharterModel] {
    charters.charters(in: phase, at: now(), calendar: calendar())
  }

  // MARK: - Reading

  /// Reads the charters from this device, and keeps following them.
  public func loadCharters() async { await live.load() }

  /// One charter.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  public func fetchCharter(_ id: UUID) async throws -> CharterModel {
    guard let charter = try await repository.fetchCharter(id: id) else {
      throw RepositoryError.notFound
    }
    return charter
  }

  /// One charter to follow on its own; a loaded `nil` where there is none of that id.
  func liveCharter(_ id: UUID) -> Live<CharterModel?> {
    Live { [repository] in repository.charter(id: id) }
  }

  // MARK: - Changing

  /// An id for a new charter.
  public func makeCharterID() -> UUID { makeID() }

  /// Stores a new charter; texts that are blank are stored as none.
  ///
  /// Asked for the same charter under the same id again, it stores nothing and returns the one that
  /// is there, so that a form sent twice makes one charter.
  ///
  /// - Parameter id: the charter's id; a new one unless stated.
  /// - Returns: the charter as it is stored.
  /// - Throws: ``CharterExists`` where there is another charter of that id; ``RepositoryError``.
  @discardableResult
  public func createCharter(
    name: String, boatName: String?, location: String?, startDate: Date, endDate: Date,
    region: String? = nil, guests: Int = CharterModel.defaultGuests, crew: [CrewMember] = [],
    budget: CharterBudget? = nil, id: UUID? = nil
  ) async throws -> CharterModel {
    let charter = CharterModel(
      id: id ?? makeID(), name: name.trimmed, boatName: boatName?.trimmedOrNil,
      location: location?.trimmedOrNil, startDate: startDate, endDate: endDate, createdAt: now(),
      checkInChecklistID: nil, region: region?.trimmedOrNil, guests: guests, crew: crew,
      budget: budget)
    do {
      try await repository.createCharter(charter)
      return charter
    } catch {
      guard let existing = try await repository.fetchCharter(id: charter.id) else { throw error }
      guard CharterFormState(existing) == CharterFormState(charter) else {
        throw CharterExists(charter: existing)
      }
      return existing
    }
  }

  /// Stores a changed charter.
  /// - Throws: ``RepositoryError``.
  public func updateCharter(_ charter: CharterModel) async throws {
    var charter = charter
    charter.syncStatus = .pending
    try await repository.saveCharter(charter)
  }

  /// Removes a charter with all that belongs to it alone.
  /// - Throws: ``RepositoryError``.
  public func deleteCharter(_ id: UUID) async throws {
    try await repository.deleteCharter(id)
  }
}
