/// Finds what somebody would go on with. Every call throws ``RepositoryError``.
public protocol UnfinishedChecklistRepository: Sendable {
  /// The checklist that was last worked on and is not done, at once and again after each change.
  ///
  /// It is one of the active charter where there is any, else of any charter that is not archived.
  /// What cannot be read is passed over.
  func checklistToContinue() -> any AsyncSequence<ChecklistToContinue?, any Error> & Sendable
}
