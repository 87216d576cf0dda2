public import Foundation
public import OffshoreFiles
public import OffshorePresentation
public import OffshoreWeb

/// A log of changes, of which each can be reverted, and the latest ones undone and redone.
///
/// Its forms send the actions `undo` and `redo` with the id of the change in a field of the same name,
/// `revert` with the field `change`, and `dismiss`.
@MainActor public struct ChangeLogView: Component {
  /// A change with its date, and a sentence for each record.
  public struct Entry: Identifiable, Sendable {
    /// The id of the change.
    public let id: UUID
    let date: Date
    let count: Int
    let sentences: [String]

    /// Creates an entry.
    /// - Parameters:
    ///   - count: the number of records.
    ///   - sentence: returns the sentence about a record, of which only the first are shown.
    public init(_ id: UUID, _ date: Date, count: Int, sentence: (_ index: Int) -> String) {
      self.id = id
      self.date = date
      self.count = count
      sentences = (0..<min(count, 5)).map(sentence)
    }
  }

  /// The changes, the latest first.
  public var entries: [Entry] = []
  /// The change that is undone next.
  public var undoable: Entry?
  /// The change that is redone next.
  public var redoable: Entry?
  /// The records that are not as the change has left them, so that nothing was reverted: the expected version and
  /// the stored one, each `nil` if it does not exist.
  public var differences: [(expected: String?, stored: String?)] = []

  private let address: String
  private let say: Localizer

  /// Creates a log without changes.
  /// - Parameter address: the address of the page.
  public init(at address: String, _ say: Localizer) {
    self.address = address
    self.say = say
  }

  /// The differences, the buttons, and the changes.
  public var html: HTML {
    HTML {
      if !differences.isEmpty { refusal }
      div(.class("actions")) { steps }
      for entry in entries { view(of: entry) }
      if entries.isEmpty { EmptyView(title: say(.noChanges), text: say(.changesExplained)) }
    }
  }

  private var steps: PostForm {
    let steps = [(undoable, LocalizedText.undo, "undo"), (redoable, .redo, "redo")]
    return PostForm(to: address, id: "steps", isRepeatable: false) {
      for (entry, _, action) in steps { if let entry { HiddenValue(action, entry.id.uuidString) } }
      div(.class("buttons")) {
        for (entry, title, action) in steps { if let entry { button(title, action, entry) } }
      }
    }
  }

  private func button(_ title: LocalizedText, _ action: String, _ entry: Entry) -> SubmitButton {
    let label = "\(say(title)): \(entry.sentences.first ?? "")"
    return SubmitButton(say(title), style: .plain, label: label, action: action)
  }

  private func view(of entry: Entry) -> HTML {
    article(.class("card"), .id("change-\(entry.id)")) {
      div(.class("conflict")) {
        p(.class("hint")) { say.dayAndTime(entry.date) }
        for sentence in entry.sentences { p { sentence } }
        if entry.count > entry.sentences.count {
          p(.class("hint")) { say(.moreRecords(entry.count - entry.sentences.count)) }
        }
        PostForm(to: address, isRepeatable: false) {
          HiddenValue("change", entry.id.uuidString)
          div(.class("tools")) { button(.revert, "revert", entry) }
        }
      }
    }
  }

  private var refusal: HTML {
    div(.class("notices"), .id("refusal"), .role(.alert)) {
      p { strong { say(.notReverted) } }
      for (expected, stored) in differences.prefix(5) {
        div(.class("sides")) {
          p(.class("side")) { "\(say(.expected)): \(expected ?? say(.nothing))" }
          p(.class("side")) { "\(say(.nowStored)): \(stored ?? say(.nothing))" }
        }
      }
      PostForm(to: address) { SubmitButton(say(.dismiss), style: .plain, action: "dismiss") }
    }
  }
}

// MARK: - The log of a feature

extension ChangeLogView {
  /// Creates the log of a feature.
  ///
  /// - Parameters:
  ///   - count: the number of changes that are shown.
  ///   - address: the address of the page.
  ///   - sides: returns the texts of an element before and after an edit; `nil` if it does not exist.
  public init<Change: LoggedChange>(
    _ state: UndoFeature<Change>.State, count: Int, at address: String, _ say: Localizer,
    sides: (Change.Edit) -> (before: String?, after: String?)
  ) {
    self.init(at: address, say)
    func entry(_ change: Change) -> Entry {
      Entry(change.id, change.moment, count: change.edits.count) { index in
        switch sides(change.edits[index]) {
        case (nil, let after?): say(.wasAdded(after))
        case (let before?, nil): say(.wasDeleted(before))
        case (let before?, let after?): "\(before) → \(after)"
        case (nil, nil): ""
        }
      }
    }
    let history = state.history
    entries = state.changes.suffix(count).reversed().map(entry)
    undoable = history.undoable.last.map(entry)
    redoable = history.redoable.last.map(entry)
    differences = (state.refusal?.differences ?? []).map { difference in
      let (expected, stored) = sides(difference)
      return (expected, stored)
    }
  }
}

extension UndoFeature.Action {
  /// Creates the action of a form of a ``ChangeLogView``; `nil` for another form.
  /// - Throws: `HTTPError` with 400 if the form has no change to undo, redo or revert.
  public init?(_ form: PageForm) throws {
    switch form.action {
    case "undo": self = .undoChange(try form.value("undo"))
    case "redo": self = .redoChange(try form.value("redo"))
    case "revert": self = .revert(try form.value("change"))
    case "dismiss": self = .dismiss
    default: return nil
    }
  }
}

extension LocalizedText {
  fileprivate static func wasAdded(_ text: String) -> LocalizedText {
    LocalizedText(en: "Added: \(text)", ru: "Добавлено: \(text)")
  }

  fileprivate static func wasDeleted(_ text: String) -> LocalizedText {
    LocalizedText(en: "Deleted: \(text)", ru: "Удалено: \(text)")
  }

  fileprivate static let redo = LocalizedText(en: "Redo", ru: "Повторить")
  fileprivate static let revert = LocalizedText(en: "Revert", ru: "Вернуть как было")
  fileprivate static let noChanges = LocalizedText(en: "No changes yet", ru: "Изменений пока нет")
  fileprivate static let changesExplained = LocalizedText(
    en: "Each change is listed here, and can be undone.",
    ru: "Здесь будет каждое изменение, и его можно отменить.")
  fileprivate static let notReverted = LocalizedText(
    en: "This was not done, because something has changed since.",
    ru: "Это не сделано: с тех пор что-то изменилось.")
  fileprivate static let expected = LocalizedText(en: "Expected", ru: "Ожидалось")
  fileprivate static let nowStored = LocalizedText(en: "Now", ru: "Сейчас")
  fileprivate static let nothing = LocalizedText(en: "nothing", ru: "ничего")

  fileprivate static func moreRecords(_ count: Int) -> LocalizedText {
    LocalizedText(en: "and \(count) more", ru: "и ещё \(count)")
  }
}
