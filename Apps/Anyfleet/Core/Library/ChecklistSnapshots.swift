public import Foundation
public import OffshorePresentation

/// The checklists that charters have: snapshots of those of the library.
extension LibraryStore {
  /// Observes the checklist that a charter runs: its snapshot, or else the library's checklist.
  func liveChecklist(_ id: UUID, inCharter charterID: UUID) -> Live<Checklist> {
    Live(present: { [repository] in repository.checklist(id, inCharter: charterID) })
  }

  /// Sorts ids of checklists as the list does; those that are not in it come last.
  func inOrder(_ ids: Set<UUID>) -> [UUID] {
    let known = (checklists.data ?? []).map(\.id).filter(ids.contains)
    return known + ids.subtracting(known).sorted { $0.uuidString < $1.uuidString }
  }

  /// Begins to edit a charter's snapshot of a checklist. A checklist that the charter does not have begins
  /// as the library's, and is added to the charter when it is saved.
  public func draft(
    ofChecklist id: UUID, inCharter charterID: UUID, by creatorID: UUID
  ) -> Draft<Checklist> {
    Draft(
      Checklist.fields, blank: blank(Checklist.self, id, by: creatorID), isNew: false,
      makeID: makeID
    ) {
      [repository] in
      guard try await repository.hasChecklist(id, charterID: charterID) else { return nil }
      return try await repository.fetchChecklist(id, inCharter: charterID)
    } template: { [repository] in
      try await repository.fetchChecklist(id)
    } store: { [repository] change, blank in
      do {
        return try await repository.saveChecklist(change, blank: blank, inCharter: charterID)
      } catch RepositoryError.notFound {
        // The charter was deleted: saving again would not help.
        throw AppError.content(.notFound)
      }
    }
  }
}
