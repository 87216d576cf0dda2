import Anyfleet
import Foundation
import OffshoreHTTP

/// What a button of a deck's form asks for, as it is sent.
enum DeckEditorAction: Equatable {
  case save
  /// Nothing but the page with what was entered.
  case keep
  case addCard
  case removeCard(UUID)

  private static let remove = "remove-card-"

  /// Reads what was sent; `nil` where no button sends it.
  init?(_ text: String) {
    switch text {
    case "save": self = .save
    case keepingDraft: self = .keep
    case "add-card": self = .addCard
    default:
      guard text.hasPrefix(Self.remove),
        let id = UUID(uuidString: String(text.dropFirst(Self.remove.count)))
      else { return nil }
      self = .removeCard(id)
    }
  }

  /// Changes a form, and does nothing where it is to be saved or kept.
  @MainActor
  func change(_ viewModel: DeckViewModel) {
    switch self {
    case .save, .keep: break
    case .addCard: viewModel.addCard()
    case .removeCard(let id): viewModel.form.removeCard(id)
    }
  }
}

extension DeckFormState {
  /// Reads a form, in which what is entered of a card comes after its id.
  /// - Throws: ``HTTPError`` with 400 where ids are missing, not ids, or there twice, and without a
  ///   version.
  init(_ fields: Fields) throws {
    self.init()
    title = fields["title"] ?? ""
    basedOn = try EntryVersion.date(fields)
    for field in fields.items where ["card", "front", "back"].contains(field.name) {
      if field.name == "card", let id = UUID(uuidString: field.value),
        !cards.contains(where: { $0.id == id })
      {
        addCard(id: id)
      } else if let last = cards.indices.last, field.name != "card" {
        let text = field.value.withPlainLineBreaks
        if field.name == "front" { cards[last].front = text } else { cards[last].back = text }
      } else {
        throw HTTPError(
          .badRequest, "The form's cards need ids of their own, before what belongs to them.")
      }
    }
  }
}
