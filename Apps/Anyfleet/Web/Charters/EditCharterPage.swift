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

  fileprivate var say: Speaker { shell.say }
  private var address: String { Address.editCharter(viewModel.charterID) }

  func load() async throws {
    await viewModel.load()
    if let error = viewModel.charter.errorValue, error == .database(.notFound) { throw error }
    draft.input = CharterFormInput(viewModel.form, in: say.language)
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      say(.editCharter), in: .charters,
      back: PageLink(
        viewModel.charter.data?.name ?? say(.charter), to: Address.charter(viewModel.charterID))
    ) {
      tab.region("charter-form") {
        StateContent(viewModel.charter, say, loading: .loadingCharter, address: address) { _ in
          if let error = viewModel.saveError { ErrorView(error, say) }
          CompletionCard(viewModel.missingSteps, advice: viewModel.advice, say)
          PostForm(to: address, id: "edit-charter") {
            CharterFormView(say: say, input: draft.input, problems: viewModel.validationErrors)
              .html
            SubmitButton(say(viewModel.isSaving ? .saving : .save))
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
    let input = CharterFormInput(try request.form)
    return try await tabs.act(request, at: Address.editCharter(id)) {
      editCharterPage(id)
    } action: { page in
      page.draft.input = input
      page.viewModel.form = input.state(
        from: page.viewModel.original, in: page.say.language)
      return await page.viewModel.saveCharter() == nil ? .invalid : .go(to: Address.charter(id))
    }
  }

  @MainActor private func editCharterPage(_ id: UUID) -> EditCharterPage {
    EditCharterPage(
      shell: shell, viewModel: dependencies.makeEditCharter(id), draft: CharterDraft())
  }
}
