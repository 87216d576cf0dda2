import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A section of a checklist that can be collapsed, with its items.
@MainActor
struct RunSectionView {
  let section: ChecklistSection
  let viewModel: ChecklistExecutionViewModel
  let say: Localizer
  let tab: Tab

  var html: HTML {
    let page = viewModel.route.address
    return details(
      .id("items-\(section.id)"), .class("section"),
      .open(viewModel.expandedSections.contains(section.id))
    ) {
      summary(.id("share-\(section.id)")) {
        h2 { section.title }
        " "
        span(.class("count")) { ratio }
      }
      Card(label: section.title) {
        for item in section.items {
          tab.memo(RunItemView(item: item, viewModel: viewModel, page: page, say: say))
        }
      }
    }
  }

  private var ratio: String {
    say(.ratio(viewModel.checkedCount(in: section), of: section.items.count))
  }
}

/// An item with its checkbox, and with its condition and note behind the icon at its end.
struct RunItemView: Component, Equatable, Identifiable {
  private let item: ChecklistItem
  private let check: ItemCheck?
  private let isCheckedToday: Bool
  private let isOwnCheck: Bool
  private let stored: ItemRemarks
  private let draft: ItemRemarks
  private let saveError: AppError?
  private let noteError: AppError?
  private let issueError: AppError?
  private let showsRemarks: Bool
  private let canEdit: Bool
  private let conflict: ChecklistExecutionViewModel.ItemConflictState?
  /// The address of the item's history, or `nil` if it has none.
  private let history: String?
  /// The address of the item on the page, to which a page without the script returns.
  private let address: String
  private let say: Localizer

  /// Copies the state of an item from a view model.
  /// - Parameter page: the address of the page.
  @MainActor init(
    item: ChecklistItem, viewModel: ChecklistExecutionViewModel, page: String, say: Localizer
  ) {
    self.item = item
    self.say = say
    check = viewModel.check(of: item.id)
    isCheckedToday = check?.date.map { viewModel.isToday($0) } ?? false
    isOwnCheck = check?.name == viewModel.userName
    stored = viewModel.remarks(of: item.id)
    draft = viewModel.draft(of: item.id)
    saveError = viewModel.error(of: .tick(item.id))
    noteError = viewModel.error(of: .note(item.id))
    issueError = viewModel.error(of: .issue(item.id))
    showsRemarks = viewModel.showsRemarks(of: item.id)
    canEdit = viewModel.canEdit
    conflict = viewModel.conflictState(of: item.id)
    history = conflict.map { _ in viewModel.history(of: item.id).address }
    address = "\(page)#row-\(item.id)"
  }

  var id: UUID { item.id }

  var html: HTML {
    div(.id("row-\(item.id)"), .class("item")) {
      tick
      if canEdit { remarks }
      if conflict == .open, let history { conflictLink(history) }
    }
  }

  /// A link in the line of the stamp, so that a conflict that arrives moves no row.
  ///
  /// It stands beside the button that ticks, because a button has no links in it.
  private func conflictLink(_ history: String) -> HTML {
    a(
      .class("versions"), .href(history),
      .ariaLabel(say(.of(.twoVersions, item.title)))
    ) { Badge.twoVersions(say) }
  }

  // MARK: - Tick

  private var tick: TickRow {
    TickRow(
      item.title, isOn: check != nil, to: address, text: item.note, note: stored.note,
      stamp: stamp, error: saveError.map { say($0.localizedMessage) }, id: "item-\(item.id)",
      isReadOnly: !canEdit,
      fields: HTML {
        HiddenValue("action", "tick")
        HiddenValue("item", item.id.uuidString)
      }
    ) {
      if item.isCritical { Badge(say(.critical), tone: .bad) }
      if let issue = stored.issue { Badge(say(issue.title), tone: issue.tone) }
      if conflict == .open { span(.class("badge", "room")) { say(.twoVersions) } }
    }
  }

  /// The account that checked the item, unless it is the user's, and the time of the check.
  private var stamp: String? {
    let name = isOwnCheck ? nil : check?.name
    let date = check?.date.map { isCheckedToday ? say.time($0) : say.dayAndTime($0) }
    let parts = [name, date].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  // MARK: - Remarks

  /// The id of the form that opens the remarks of an item.
  static let remarksForm = "open-remarks"

  private var remarks: LazyDetails {
    LazyDetails(
      say(.noteAndCondition), label: say(.of(.noteAndCondition, item.title)),
      icon: Icon(stored.note == nil ? "chat-left" : "chat-left-text-fill", text: "✎"),
      id: "remarks-\(item.id)", cssClass: "remarks", isLoaded: showsRemarks,
      form: Self.remarksForm, to: address, name: "item", value: item.id.uuidString
    ) {
      conditions
      noteForm
      if conflict == .decided, let history {
        a(.class("refresh"), .href(history)) { say(.history) }
      }
    }
  }

  /// The buttons of the conditions, each of which saves at once. The button of the selected one
  /// clears it.
  private var conditions: PostForm {
    PostForm(to: address, id: "condition-\(item.id)") {
      HiddenValue("action", "condition")
      HiddenValue("item", item.id.uuidString)
      div(.class("chips"), .role(.group), .ariaLabel(say(.of(.condition, item.title)))) {
        for issue in ChecklistItemIssue.allCases {
          let isChosen = draft.issue == issue
          button(
            .type(.submit), .class("chip", issue.tone.rawValue), .ariaPressed(isChosen),
            .name("issue"), .value(isChosen ? "" : issue.rawValue)
          ) { say(issue.title) }
        }
      }
      if let issueError { p(.class("error")) { say(issueError.localizedMessage) } }
    }
  }

  private var noteForm: PostForm {
    PostForm(to: address, id: "note-form-\(item.id)", confirmation: say(.saved)) {
      HiddenValue("item", item.id.uuidString)
      HiddenValue("noteBefore", stored.note ?? "")
      Field(
        say(.note), name: "note", value: draft.note ?? "", kind: .text(rows: 2),
        error: noteError.map { say($0.localizedMessage) },
        maximumLength: ChecklistExecutionViewModel.maximumNoteLength, id: "note-\(item.id)")
      SubmitButton(
        say(.save), style: .plain, label: say(.of(.save, item.title)), action: "note")
    }
  }
}

extension ChecklistItemIssue {
  /// The colour of the condition.
  var tone: Badge.Tone {
    switch self {
    case .ok: .good
    case .issue, .missing: .warn
    case .damaged: .bad
    case .notApplicable: .none
    }
  }
}
