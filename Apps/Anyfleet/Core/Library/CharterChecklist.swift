public import Foundation
package import OffshorePresentation

/// A checklist of a charter: a snapshot that the crew shares and may edit. The library's checklist
/// does not change.
public struct CharterChecklist: Equatable, Hashable, Sendable {
  public let charterID: UUID
  /// The position among the charter's checklists, in ascending order.
  public var position: Int
  /// The checklist, with the id of the library's checklist.
  public var snapshot: Checklist

  /// Creates a charter's checklist.
  public init(charterID: UUID, position: Int, snapshot: Checklist) {
    self.charterID = charterID
    self.position = position
    self.snapshot = snapshot
  }

  /// The id of the library's checklist.
  public var checklistID: UUID { snapshot.id }
}

extension LibraryStore {
  /// Observes the checklist to run in a charter: its snapshot, or else the library's checklist.
  func liveChecklist(_ id: UUID, inCharter charterID: UUID) -> Live<Checklist> {
    Live(retainingLast: { [repository] in repository.checklist(id, inCharter: charterID) })
  }

  /// Sorts ids of checklists in the order of the library's list. Unknown ids come last.
  func inLibraryOrder(_ ids: Set<UUID>) -> [UUID] {
    let known = (checklists.data ?? []).map(\.id).filter(ids.contains)
    return known + ids.subtracting(known).sorted { $0.uuidString < $1.uuidString }
  }

  /// Starts to edit a charter's snapshot of a checklist. If the charter does not have the
  /// checklist, the draft begins as the library's checklist, and saving adds it to the charter.
  package func draft(
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
        // The charter was deleted, so saving again would not help.
        throw AppError.content(.notFound)
      }
    }
  }
}
