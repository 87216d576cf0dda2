import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync

/// Gives the rows of a local user to an account, as far as the library cannot.
enum AppHandOver {
  /// Removes first checklists that the user has not used: the account has its own, or gets them.
  @Sendable static func run(from former: UUID, to account: UUID, _ writer: Writer) throws {
    try removeUnusedSeeds(of: former, writer)
    try handProgress(CardProgressRow.where { $0.userID == former }, to: account, writer)
  }

  /// Gives progress with cards to another user: its ids are derived from the user's.
  static func handProgress(
    _ rows: Query<CardProgressRow>, to user: UUID, _ writer: Writer
  ) throws {
    for row in try rows.readable(writer).rows {
      try CardProgressRow.find(row.id).delete(writer)
      try CardProgressRow(row.progress, userID: user, deckID: row.deckID, at: row.lastUpdated)
        .save(writer)
    }
  }

  /// Removes first checklists that are unchanged and in no charter.
  private static func removeUnusedSeeds(of userID: UUID, _ writer: Writer) throws {
    for checklist in try Checklist.where({ $0.creatorID == userID }).readable(writer).rows
    where SeedChecklist.all.contains(where: { $0.isUntouched(checklist, of: userID) }) {
      guard try !CharterChecklistRow.where({ $0.checklistID == checklist.id }).exists(writer),
        try !ExecutionRow.where({ $0.checklistID == checklist.id }).exists(writer)
      else { continue }
      try Checklist.find(checklist.id).delete(writer)
    }
  }
}

extension SeedChecklist {
  /// Whether a checklist is unchanged since it was given to a user, in any language.
  fileprivate func isUntouched(_ checklist: Checklist, of userID: UUID) -> Bool {
    AppDependencies.languages.contains { language in
      let seed = self.checklist(of: userID, in: language, at: checklist.createdAt)
      return seed.id == checklist.id && seed.title == checklist.title
        && seed.description == checklist.description && seed.sections == checklist.sections
    }
  }
}
