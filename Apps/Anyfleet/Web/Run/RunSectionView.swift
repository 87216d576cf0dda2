import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A section of a checklist that can be folded away, with its items to tick.
@MainActor
struct RunSectionView {
  let section: ChecklistSection
  let viewModel: ChecklistExecutionViewModel
  let say: Speaker
  let tab: Tab

  var html: HTML {
    details(
      .id("items-\(section.id)"), .class("section"),
      .open(viewModel.expandedSections.contains(section.id))
    ) {
      summary(.id("share-\(section.id)")) { h2 { "\(section.title), \(share)" } }
      Card(label: section.title) {
        for item in section.items {
          tab.memo(RunItemView(item: item, viewModel: viewModel, say: say))
        }
      }
    }
  }

  private var share: String {
    say(.share(viewModel.checkedCount(in: section), of: section.items.count))
  }
}

/// An item to tick, with its note and condition folded away below it.
struct RunItemView: Component, Equatable, Identifiable {
  private let item: ChecklistItem
  private let isChecked: Bool
  private let stored: ItemRemarks
  private let draft: ItemRemarks
  private let saveError: AppError?
  private let noteError: AppError?
  private let issueError: AppError?
  private let canEdit: Bool
  private let history: String?
  private let address: String
  private let say: Speaker

  /// Copies the state of an item from a view model.
  @MainActor init(item: ChecklistItem, viewModel: ChecklistExecutionViewModel, say: Speaker) {
    self.item = item
    self.say = say
    isChecked = viewModel.isChecked(item.id)
    stored = viewModel.remarks(of: item.id)
    draft = viewModel.draft(of: item.id)
    saveError = viewModel.error(of: .tick(item.id))
    noteError = viewModel.error(of: .note(item.id))
    issueError = viewModel.error(of: .issue(item.id))
    canEdit = viewModel.canEdit
    history = viewModel.hasHistory(item.id) ? viewModel.history(of: item.id).address : nil
    address = viewModel.route.address
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
      if let history { link(toHistory: history) }
    }
  }

  private func link(toHistory address: String) -> HTML {
    a(
      .class("history"), .href(address),
      .ariaLabel(say(.of(.history, item.title)))
    ) { say(.history) }
  }

  // MARK: - Tick

  private var tick: TickRow {
    TickRow(
      item.title, isOn: isChecked, to: address, text: item.note,
      error: saveError.map { say($0.localizedMessage) }, id: "item-\(item.id)",
      isReadOnly: !canEdit,
      fields: HTML {
        HiddenValue("action", "tick")
        HiddenValue("item", item.id.uuidString)
      }
    ) {
      if item.isCritical { Badge(say(.critical), tone: .bad) }
      if let issue = stored.issue { Badge(say(issue.title), tone: issue.tone) }
    }
  }

  // MARK: - Remarks

  /// The label of the folded part: the note, if there is one.
  private var handle: String { stored.note ?? say(.noteAndCondition) }

  private var hasFailed: Bool { noteError != nil || issueError != nil }

  private var form: PostForm {
    PostForm(to: address, id: "remarks-form-\(item.id)") {
      HiddenValue("item", item.id.uuidString)
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
      SubmitButton(
        say(.save), style: .plain, label: "\(say(.save)): \(item.title)", action: "remark")
    }
  }

  private var choices: [Field.Choice] {
    [Field.Choice("", say(.conditionNotSpecified))]
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
