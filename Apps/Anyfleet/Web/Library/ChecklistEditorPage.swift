import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Writing a checklist: one form, whose buttons change it and save it.
struct ChecklistEditorPage: LivePage {
  let shell: Shell
  let viewModel: ChecklistEditorViewModel

  private var say: Speaker { shell.say }

  func load() async throws {
    await viewModel.load()
    if viewModel.loadError == .database(.notFound) { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(title, in: .library, back: back) {
      tab.region("checklist-form") {
        if let error = viewModel.loadError {
          ErrorView(error, say, address: address)
        } else if viewModel.isLoaded {
          if let error = viewModel.saveError { ErrorView(error, say) }
          form
        } else {
          LoadingView(say(LibraryPart.checklists.loading))
        }
      }
    }
  }

  private var title: String {
    viewModel.isNew ? say(LibraryPart.checklists.newTitle) : say(.edit)
  }

  private var address: String {
    viewModel.isNew
      ? Address.newEntry(in: .checklists)
      : Address.editEntry(viewModel.checklistID, in: .checklists)
  }

  private var back: PageLink {
    viewModel.isNew
      ? PageLink(say(.library), to: Address.library(.checklists))
      : PageLink(
        say(.checklist), to: Address.entry(viewModel.checklistID, in: .checklists))
  }

  private var form: PostForm {
    PostForm(to: address, id: "checklist-editor", enterAction: "save") {
      HiddenValue("draft", viewModel.checklistID.uuidString)
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
        SubmitButton(viewModel.isSaving ? say(.saving) : say(.save), action: "save")
      }
    }
  }

  private func problem(_ field: ChecklistFormField) -> String? {
    viewModel.problem(field).map { say($0) }
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

  /// Takes what was entered, and then does what the button says.
  private func change(
    _ request: Request, _ fields: Fields, at address: String,
    page: @MainActor () -> ChecklistEditorPage
  ) async throws -> Response {
    guard let action = fields["action"].flatMap(ChecklistEditorAction.init) else {
      throw HTTPError(.badRequest, "The form has no field action that a button sends.")
    }
    let form = try ChecklistFormInput.state(fields)
    return try await tabs.act(request, at: address, page: page) { page in
      let viewModel = page.viewModel
      if let error = viewModel.loadError { throw error }
      viewModel.form = form
      action.change(viewModel)
      guard action == .save else { return .drafted }
      let checklist = await viewModel.save()
      return checklist.map { .go(to: Address.entry($0.id, in: .checklists)) } ?? .invalid
    }
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
