import Anyfleet
import Foundation
import OffshoreHTTP

extension Router {
  /// Adds the pages of the library.
  mutating func addLibrary(_ pages: AnyfleetPages) {
    get("library") { try await pages.library($0) }
    post("library/undo", bodyLimit: AnyfleetPages.formLimit) { try await pages.restoreEntry($0) }
    post("library/dismiss", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.dismissDeletedEntries($0)
    }
    addLibraryChecklists(pages)
    addGuides(pages)
    addDecks(pages)
  }

  private mutating func addLibraryChecklists(_ pages: AnyfleetPages) {
    get("library/checklists/new") { try await pages.newChecklist($0) }
    post("library/checklists/new", bodyLimit: AnyfleetPages.editorLimit) {
      try await pages.changeNewChecklist($0)
    }
    get("library/checklists/:checklist") { try await pages.libraryChecklist($0) }
    get("library/checklists/:checklist/edit") { try await pages.editChecklist($0) }
    post("library/checklists/:checklist/edit", bodyLimit: AnyfleetPages.editorLimit) {
      try await pages.changeChecklist($0)
    }
    post("library/checklists/:checklist/copy", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.copyChecklist($0)
    }
    post("library/checklists/:checklist/delete", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.deleteChecklist($0)
    }
  }

  private mutating func addGuides(_ pages: AnyfleetPages) {
    get("library/guides/new") { try await pages.newGuide($0) }
    post("library/guides/new", bodyLimit: AnyfleetPages.editorLimit) {
      try await pages.saveNewGuide($0)
    }
    get("library/guides/:guide") { try await pages.guide($0) }
    get("library/guides/:guide/edit") { try await pages.editGuide($0) }
    post("library/guides/:guide/edit", bodyLimit: AnyfleetPages.editorLimit) {
      try await pages.saveGuide($0)
    }
    post("library/guides/:guide/copy", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.copyGuide($0)
    }
    post("library/guides/:guide/delete", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.deleteGuide($0)
    }
  }

  private mutating func addDecks(_ pages: AnyfleetPages) {
    get("library/decks/new") { try await pages.newDeck($0) }
    post("library/decks/new", bodyLimit: AnyfleetPages.editorLimit) {
      try await pages.changeNewDeck($0)
    }
    get("library/decks/:deck") { try await pages.deck($0) }
    get("library/decks/:deck/edit") { try await pages.editDeck($0) }
    post("library/decks/:deck/edit", bodyLimit: AnyfleetPages.editorLimit) {
      try await pages.changeDeck($0)
    }
    get("library/decks/:deck/study") { try await pages.study($0) }
    post("library/decks/:deck/study", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.answerCard($0)
    }
    post("library/decks/:deck/copy", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.copyDeck($0)
    }
    post("library/decks/:deck/delete", bodyLimit: AnyfleetPages.formLimit) {
      try await pages.deleteDeck($0)
    }
  }
}

extension AnyfleetPages {
  /// How many bytes the form of an editor may have: more than the longest checklist takes.
  static let editorLimit = 2 * 1024 * 1024
  /// How many fields the form of an editor may have: five for each item, which the longest has.
  static let editorFieldCount = 5 * Checklist.maximumItemCount

  /// The id that the form of something new was given, so that sending it twice stores one.
  func draftID(_ fields: Fields) throws -> UUID {
    guard let id = fields["draft"].flatMap(UUID.init(uuidString:)) else {
      throw HTTPError(.badRequest, "The form has no field draft that is a UUID.")
    }
    return id
  }
}
