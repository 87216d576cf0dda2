public import Foundation
public import Observation
public import OffshorePresentation

/// The library, as all screens share it.
@MainActor @Observable
public final class LibraryStore {
  let repository: any LibraryRepository
  private let liveChecklists: Live<ReadableRows<Checklist>>
  private let now: @MainActor () -> Date

  /// Takes what the store needs.
  ///
  /// - Parameters:
  ///   - repository: stores the library.
  ///   - now: the current date.
  public init(
    repository: any LibraryRepository, now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.repository = repository
    self.now = now
    liveChecklists = Live { repository.checklists() }
  }

  /// The checklists by their titles.
  public var checklists: ViewState<[Checklist]> { liveChecklists.state.flatMap(\.state) }

  /// Why checklists are left out, where some cannot be read.
  public var unreadableChecklists: [AppError] {
    liveChecklists.state.data?.unreadable.map(\.asAppError) ?? []
  }

  /// Why the checklists shown may be out of date, where they may.
  public var refreshError: AppError? { liveChecklists.refreshError }

  /// Reads the checklists from this device, and keeps following them.
  public func loadChecklists() async { await liveChecklists.load() }

  /// One checklist.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  public func fetchChecklist(_ id: UUID) async throws -> Checklist {
    guard let checklist = try await repository.fetchChecklist(id) else {
      throw RepositoryError.notFound
    }
    return checklist
  }

  /// Stores a checklist, new or changed.
  /// - Throws: ``RepositoryError``.
  public func saveChecklist(_ checklist: Checklist) async throws {
    var checklist = checklist
    checklist.updatedAt = now()
    try await repository.saveChecklist(checklist)
  }

  /// Removes a checklist. Progress on it stays until the charter goes.
  /// - Throws: ``RepositoryError``.
  public func deleteChecklist(_ id: UUID) async throws {
    try await repository.deleteChecklist(id)
  }
}
