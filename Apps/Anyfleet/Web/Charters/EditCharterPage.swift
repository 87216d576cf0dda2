import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Changing a charter, with what is wrong beside the fields.
struct EditCharterPage: LivePage {
  let frame: AppFrame
  let viewModel: EditCharterViewModel
  let draft: CharterDraft

  private var say: Speaker { frame.say }
  private var address: String { Address.editCharter(viewModel.charterID) }

  func load() async throws {
    await viewModel.load()
    if let error = viewModel.charter.errorValue, error == .database(.notFound) { throw error }
    draft.before = CharterFormInput(viewModel.original, in: say.language)
    draft.input = CharterFormInput(viewModel.form, in: say.language)
  }

  /// Takes what was typed into a form that may have begun with what is not there any more.
  func take(_ input: CharterFormInput, since before: CharterFormInput) {
    (draft.input, draft.before) = (input, before)
    let original = before.state(from: viewModel.original, in: say.language)
    viewModel.restore(input.state(from: original, in: say.language), since: original)
  }

  /// Shows what is entered beside what others have stored, after that was in the way.
  private func showConflict() {
    draft.before = CharterFormInput(viewModel.original, in: say.language)
    draft.input = CharterFormInput(viewModel.form, in: say.language)
  }

  /// Saves what was taken.
  func save() async -> Outcome {
    if await viewModel.saveCharter() != nil { return .go(to: Address.charter(viewModel.charterID)) }
    if viewModel.saveError == .sync(.conflict) { showConflict() }
    return .invalid
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, say(viewModel.charter.data.map { .edit($0.name) } ?? .editCharter), in: .charters,
      back: PageLink(
        viewModel.charter.data?.name ?? say(.charter), to: Address.charter(viewModel.charterID))
    ) {
      tab.region("charter-form") {
        StateContent(viewModel.charter, say, loading: .loadingCharter, address: address) { _ in
          if let error = viewModel.saveError { saveError(error) }
          if viewModel.canEdit { form } else { p(.class("look-only")) { say(.onlyLook) } }
        }
      }
    }
  }

  @HTMLBuilder private var form: HTML {
    CompletionCard(viewModel.missingSteps, advice: viewModel.advice, say)
    PostForm(to: address, id: "edit-charter", draftAction: keepingDraft) {
      draft.before.asBefore
      CharterFormView(say: say, input: draft.input, problems: viewModel.validationErrors)
        .html
      SaveBar(say(viewModel.isSaving ? .saving : .save))
    }
  }
}

extension EditCharterPage {
  @HTMLBuilder private func saveError(_ error: AppError) -> HTML {
    if error == .sync(.conflict) {
      ErrorView(saving: error, stored: Address.charter(viewModel.charterID), say)
    } else {
      ErrorView(error, say)
    }
  }
}

extension AnyfleetPages {
  func editCharter(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.open(request) { editCharterPage(id) }
  }

  func saveCharter(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    let fields = try request.form
    let (input, before) = (CharterFormInput(fields), try CharterFormInput(before: fields))
    return try await tabs.act(request, at: Address.editCharter(id)) {
      editCharterPage(id)
    } action: { page in
      page.take(input, since: before)
      return fields["action"] == keepingDraft ? .drafted : await page.save()
    }
  }

  @MainActor private func editCharterPage(_ id: UUID) -> EditCharterPage {
    EditCharterPage(
      frame: frame, viewModel: dependencies.makeEditCharter(id), draft: CharterDraft())
  }
}
