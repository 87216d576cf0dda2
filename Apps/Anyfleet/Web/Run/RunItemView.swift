import Anyfleet
import OffshorePresentation
import OffshoreWeb

/// An item to tick, and below it what the crew notes of it, folded away.
@MainActor
struct RunItemView {
  let item: ChecklistItem
  let viewModel: ChecklistExecutionViewModel
  let say: Speaker

  var html: HTML {
    div(.id("row-\(item.id)"), .class("item")) {
      tick
      details(.id("remarks-\(item.id)"), .class("remarks"), .open(hasFailed)) {
        summary(.ariaLabel("\(handle): \(item.title)")) { handle }
        form
      }
    }
  }

  // MARK: - Tick

  private var tick: TickRow {
    TickRow(
      item.title, isOn: viewModel.isChecked(item.id), to: address.tick(item.id), text: item.note,
      error: viewModel.saveErrors[item.id].map { say($0.localizedMessage) }, id: "item-\(item.id)"
    ) {
      if item.isCritical { Badge(say(.critical), tone: .bad) }
      if let issue = viewModel.issue(of: item.id) { Badge(say(issue.title), tone: issue.tone) }
    }
  }

  // MARK: - Remarks

  /// What the folded part says: the note, where there is one.
  private var handle: String { viewModel.note(of: item.id) ?? say(.noteAndCondition) }

  private var hasFailed: Bool { noteError != nil || issueError != nil }

  private var noteError: AppError? { viewModel.noteErrors[item.id] }

  private var issueError: AppError? { viewModel.issueErrors[item.id] }

  private var form: PostForm {
    PostForm(to: address.remarks(item.id), id: "remarks-form-\(item.id)") {
      HiddenValue("noteBefore", viewModel.note(of: item.id) ?? "")
      HiddenValue("issueBefore", viewModel.issue(of: item.id)?.rawValue ?? "")
      Field(
        say(.note), name: "note", value: viewModel.noteDraft(of: item.id), kind: .text(rows: 2),
        error: noteError.map { say($0.localizedMessage) },
        maximumLength: ChecklistExecutionViewModel.maximumNoteLength, id: "note-\(item.id)")
      Field(
        say(.condition), name: "issue", value: viewModel.issueDraft(of: item.id)?.rawValue ?? "",
        kind: .choice(choices), error: issueError.map { say($0.localizedMessage) },
        id: "issue-\(item.id)")
      SubmitButton(say(.save), style: .plain, label: "\(say(.save)): \(item.title)")
    }
  }

  private var choices: [Field.Choice] {
    [Field.Choice("", say(.conditionNotSaid))]
      + ChecklistItemIssue.allCases.map { Field.Choice($0.rawValue, say($0.title)) }
  }

  private var address: RunAddress { RunAddress(of: viewModel) }
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
