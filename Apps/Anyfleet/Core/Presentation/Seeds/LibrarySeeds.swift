import Foundation
import OffshorePresentation

/// Gives a library the checklists to begin with, where it is empty and never had any on this device.
@MainActor
struct LibrarySeeds {
  let repository: LocalRepository
  let language: LanguageSetting
  let now: @Sendable () -> Date

  /// - Throws: ``RepositoryError``; it can be tried again then.
  func sow(for userID: UUID) async throws {
    let seeds = SeedChecklist.all.map {
      $0.checklist(of: userID, in: language.language, at: now())
    }
    try await repository.seedLibrary(seeds, of: userID)
  }
}
