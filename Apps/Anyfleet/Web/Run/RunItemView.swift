import Anyfleet
import Foundation
import OffshorePresentation
import OffshoreWeb

/// An item to tick, and below it what the crew notes of it, folded away.
struct RunItemView: Component, Equatable, Identifiable {
  private let item: ChecklistItem
  private let isChecked: Bool
  private let stored: ItemRemarks
  private let draft: ItemRemarks
  private let saveError: AppError?
  private let noteError: AppError?
  private let issueError: AppError?
  private let canEdit: Bool
  private let hasHistory: Bool
  private let address: RunAddress
  private let say: Speaker

  /// Takes from a view model what shows of an item.
  @MainActor init(item: ChecklistItem, viewModel: ChecklistExecutionViewModel, say: Speaker) {
    self.item = item
    self.say = say
    isChecked = viewModel.isChecked(item.id)
    stored = ItemRemarks(note: viewModel.note(of: item.id), issue: viewModel.issue(of: item.id))
    draft = ItemRemarks(
      note: viewModel.noteDraft(of: item.id), issue: viewModel.issueDraft(of: item.id))
    saveError = viewModel.saveErrors[item.id]
    noteError = viewModel.noteErrors[item.id]
    issueError = viewModel.issueErrors[item.id]
    canEdit = viewModel.canEdit
    hasHistory = viewModel.decidedItems.contains(item.id)
    address = RunAddress(of: viewModel)
  }

  var id: UUID { item.id }

  var html: HTML {
    div(.id("row-\(item.id)"), .class("item")) {
      tick
      if canEdit {
        details(.id("remarks-\(item.id)"), .class("remarks"), .open(hasFailed)) {
          summary(.ariaLabel("\(handle): \(item.title)")) { handle }
          form
        }
      } else if let note = stored.note {
        p(.class("noted")) { note }
      }
      if hasHistory { history }
    }
  }

  private var history: HTML {
    a(
      .class("history"), .href(address.history(item.id)),
      .ariaLabel(say(.of(.history, item.title)))
    ) { say(.history) }
  }

  // MARK: - Tick

  private var tick: TickRow {
    TickRow(
      item.title, isOn: isChecked, to: address.tick(item.id), text: item.note,
      error: saveError.map { say($0.localizedMessage) }, id: "item-\(item.id)",
      isReadOnly: !canEdit
    ) {
      if item.isCritical { Badge(say(.critical), tone: .bad) }
      if let issue = stored.issue { Badge(say(issue.title), tone: issue.tone) }
    }
  }

  // MARK: - Remarks

  /// What the folded part says: the note, where there is one.
  private var handle: String { stored.note ?? say(.noteAndCondition) }

  private var hasFailed: Bool { noteError != nil || issueError != nil }

  private var form: PostForm {
    PostForm(to: address.remarks(item.id), id: "remarks-form-\(item.id)") {
      HiddenValue("noteBefore", stored.note ?? "")
      HiddenValue("issueBefore", stored.issue?.rawValue ?? "")
      Field(
        say(.note), name: "note", value: draft.note ?? "", kind: .text(rows: 2),
        error: noteError.map { say($0.localizedMessage) },
        maximumLength: ChecklistExecutionViewModel.maximumNoteLength, id: "note-\(item.id)")
      Field(
        say(.condition), name: "issue", value: draft.issue?.rawValue ?? "",
        kind: .choice(choices), error: issueError.map { say($0.localizedMessage) },
        id: "issue-\(item.id)")
      SubmitButton(say(.save), style: .plain, label: "\(say(.save)): \(item.title)")
    }
  }

  private var choices: [Field.Choice] {
    [Field.Choice("", say(.conditionNotSaid))]
      + ChecklistItemIssue.allCases.map { Field.Choice($0.rawValue, say($0.title)) }
  }
}

extension ChecklistItemIssue {
  /// The colour that helps to find it.
  var tone: Badge.Tone {
    switch self {
    case .ok: .good
    case .issue, .missing: .warn
    case .damaged: .bad
    case .notApplicable: .none
    }
  }
}
