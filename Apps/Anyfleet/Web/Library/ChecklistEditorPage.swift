import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Writing a checklist.
struct ChecklistEditorPage: EditorPage {
  static let part = LibraryPart.checklists
  static let name = "checklist"

  let shell: Shell
  let viewModel: ChecklistEditorViewModel

  /// In the library, or beside the charter's checklist.
  var place: EditorPlace {
    guard let charterID = viewModel.charterID else { return libraryPlace }
    let run = Address.checklist(viewModel.checklistID, in: charterID)
    return EditorPlace(
      tab: .charters, form: "\(run)/edit", back: PageLink(say(.checklist), to: run), entry: run)
  }

  @HTMLBuilder var fields: HTML {
    if viewModel.canEdit { editing } else { p(.class("look-only")) { say(.onlyLook) } }
  }

  @HTMLBuilder private var editing: HTML {
    if viewModel.charterID != nil { p(.class("hint")) { say(.changesThisCharterAlone) } }
    Field(
      say(.title), name: "title", value: viewModel.form.title, error: problem(.title),
      isRequired: true)
    Field(
      say(.description), name: "description", value: viewModel.form.description,
      kind: .text(rows: 3), hint: say(.optional), error: problem(.description))
    if let problem = problem(.content) { p(.class("error"), .id("content-error")) { problem } }
    for (index, section) in viewModel.form.sections.enumerated() {
      ChecklistEditorSection(section: section, number: index + 1, viewModel: viewModel, say: say)
        .html
    }
    div(.class("buttons")) {
      SubmitButton(say(.addSection), style: .plain, action: "add-section")
    }
    saveButton
  }
}

extension AnyfleetPages {
  func newChecklist(_ request: Request) async throws -> Response {
    try await tabs.open(request) { newChecklistPage() }
  }

  func editChecklist(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("checklist")
    return try await tabs.open(request) { checklistEditorPage(id) }
  }

  func changeNewChecklist(_ request: Request) async throws -> Response {
    let fields = try request.form(maximumCount: Self.editorFieldCount)
    let draftID = try draftID(fields)
    return try await change(request, fields, at: Address.newEntry(in: .checklists)) {
      newChecklistPage(draftID)
    }
  }

  func changeChecklist(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("checklist")
    let fields = try request.form(maximumCount: Self.editorFieldCount)
    return try await change(request, fields, at: Address.editEntry(id, in: .checklists)) {
      checklistEditorPage(id)
    }
  }

  func editCharterChecklist(_ request: Request) async throws -> Response {
    let page = try charterChecklistPage(request)
    return try await tabs.open(request, page: page)
  }

  func changeCharterChecklist(_ request: Request) async throws -> Response {
    let page = try charterChecklistPage(request)
    let fields = try request.form(maximumCount: Self.editorFieldCount)
    let address = RunAddress(
      charterID: try request.parameter("charter"), checklistID: try request.parameter("checklist"))
    return try await change(request, fields, at: address.edit, page: page)
  }

  private func charterChecklistPage(
    _ request: Request
  ) throws -> @MainActor () -> ChecklistEditorPage {
    let (charterID, checklistID): (UUID, UUID) = try (
      request.parameter("charter"), request.parameter("checklist")
    )
    return {
      ChecklistEditorPage(
        shell: shell,
        viewModel: dependencies.makeChecklistEditor(checklistID, charterID: charterID))
    }
  }

  /// Takes what was entered, and then does what the button says.
  private func change(
    _ request: Request, _ fields: Fields, at address: String,
    page: @MainActor () -> ChecklistEditorPage
  ) async throws -> Response {
    guard let action = fields["action"].flatMap(ChecklistEditorAction.init) else {
      throw HTTPError(.badRequest, "The form has no field action that a button sends.")
    }
    return try await edit(
      request, ChecklistFormInput.state(fields), at: address,
      change: action == .save ? nil : action.change, page: page)
  }

  /// - Parameter draftID: the id that the form was given before, where it comes back.
  @MainActor private func newChecklistPage(_ draftID: UUID? = nil) -> ChecklistEditorPage {
    ChecklistEditorPage(
      shell: shell, viewModel: dependencies.makeNewChecklist(draftID: draftID))
  }

  @MainActor private func checklistEditorPage(_ id: UUID) -> ChecklistEditorPage {
    ChecklistEditorPage(shell: shell, viewModel: dependencies.makeChecklistEditor(id))
  }
}
