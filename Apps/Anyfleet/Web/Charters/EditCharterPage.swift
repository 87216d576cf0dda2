import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Changing a charter, with what is wrong beside the fields.
struct EditCharterPage: LivePage {
  let shell: Shell
  let viewModel: EditCharterViewModel
  let draft: CharterDraft

  private var say: Speaker { shell.say }
  private var address: String { Address.editCharter(viewModel.charterID) }

  func load() async throws {
    await viewModel.load()
    if let error = viewModel.charter.errorValue, error == .database(.notFound) { throw error }
    draft.before = CharterFormInput(viewModel.original, in: say.language)
    draft.input = CharterFormInput(viewModel.form, in: say.language)
  }

  /// Takes what was typed into a form that may have begun with what is not there any more.
  func take(_ input: CharterFormInput, since before: CharterFormInput) {
    let now = CharterFormInput(viewModel.original, in: say.language)
    draft.input = input.changes(since: before, to: now)
    draft.before = now
    viewModel.form = draft.input.state(from: viewModel.original, in: say.language)
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      say(viewModel.charter.data.map { .edit($0.name) } ?? .editCharter), in: .charters,
      back: PageLink(
        viewModel.charter.data?.name ?? say(.charter), to: Address.charter(viewModel.charterID))
    ) {
      tab.region("charter-form") {
        StateContent(viewModel.charter, say, loading: .loadingCharter, address: address) { _ in
          if let error = viewModel.saveError { ErrorView(error, say) }
          CompletionCard(viewModel.missingSteps, advice: viewModel.advice, say)
          PostForm(to: address, id: "edit-charter") {
            draft.before.asBefore
            CharterFormView(say: say, input: draft.input, problems: viewModel.validationErrors)
              .html
            SaveBar(say(viewModel.isSaving ? .saving : .save))
          }
        }
      }
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
      return await page.viewModel.saveCharter() == nil ? .invalid : .go(to: Address.charter(id))
    }
  }

  @MainActor private func editCharterPage(_ id: UUID) -> EditCharterPage {
    EditCharterPage(
      shell: shell, viewModel: dependencies.makeEditCharter(id), draft: CharterDraft())
  }
}
