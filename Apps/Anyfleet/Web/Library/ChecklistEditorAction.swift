import Anyfleet
import Foundation

/// What a button of a checklist's form asks for, as it is sent.
enum ChecklistEditorAction: Equatable {
  case save
  /// Nothing but the page with what was entered.
  case keep
  case addSection
  case addItem(section: UUID)
  case removeSection(UUID)
  case removeItem(UUID)
  case moveSection(UUID, ChecklistFormState.Move)
  case moveItem(UUID, ChecklistFormState.Move)

  /// How many characters a UUID has as text.
  private static let idLength = 36

  /// Reads what was sent; `nil` where no button sends it.
  init?(_ text: String) {
    if text == "save" {
      self = .save
      return
    }
    if text == keepingDraft {
      self = .keep
      return
    }
    if text == "add-section" {
      self = .addSection
      return
    }
    guard let id = UUID(uuidString: String(text.suffix(Self.idLength))) else { return nil }
    switch text.dropLast(Self.idLength) {
    case "add-item-": self = .addItem(section: id)
    case "remove-section-": self = .removeSection(id)
    case "remove-item-": self = .removeItem(id)
    case "move-up-section-": self = .moveSection(id, .up)
    case "move-down-section-": self = .moveSection(id, .down)
    case "move-up-item-": self = .moveItem(id, .up)
    case "move-down-item-": self = .moveItem(id, .down)
    default: return nil
    }
  }

  /// How it is sent.
  var text: String {
    switch self {
    case .save: "save"
    case .keep: keepingDraft
    case .addSection: "add-section"
    case .addItem(let section): "add-item-\(section)"
    case .removeSection(let id): "remove-section-\(id)"
    case .removeItem(let id): "remove-item-\(id)"
    case .moveSection(let id, let move): "move-\(move.rawValue)-section-\(id)"
    case .moveItem(let id, let move): "move-\(move.rawValue)-item-\(id)"
    }
  }

  /// Changes a form, and does nothing where it is to be saved or kept.
  @MainActor
  func change(_ viewModel: ChecklistEditorViewModel) {
    switch self {
    case .save, .keep: break
    case .addSection: viewModel.addSection()
    case .addItem(let section): viewModel.addItem(to: section)
    case .removeSection(let id): viewModel.form.removeSection(id)
    case .removeItem(let id): viewModel.form.removeItem(id)
    case .moveSection(let id, let move): viewModel.form.moveSection(id, move)
    case .moveItem(let id, let move): viewModel.form.moveItem(id, move)
    }
  }
}
