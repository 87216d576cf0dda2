import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Writing a guide.
struct GuideEditorPage: LivePage {
  let shell: Shell
  let viewModel: GuideViewModel

  private var say: Speaker { shell.say }

  func load() async throws {
    await viewModel.load()
    if loadError == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// Why there is nothing to change, where there is not.
  var loadError: AppError? { viewModel.isNew ? nil : viewModel.guide.errorValue }

  func page(_ tab: Tab) -> Page {
    shell.page(
      viewModel.isNew ? say(LibraryPart.guides.newTitle) : say(.edit), in: .library, back: back
    ) {
      tab.region("guide-form") {
        if let error = loadError {
          ErrorView(error, say, address: address)
        } else {
          if let error = viewModel.saveError { ErrorView(error, say) }
          form
        }
      }
    }
  }

  private var address: String {
    viewModel.isNew
      ? Address.newEntry(in: .guides) : Address.editEntry(viewModel.guideID, in: .guides)
  }

  private var back: PageLink {
    viewModel.isNew
      ? PageLink(say(.library), to: Address.library(.guides))
      : PageLink(
        say(LibraryPart.guides.entryTitle), to: Address.entry(viewModel.guideID, in: .guides))
  }

  private var form: PostForm {
    PostForm(to: address, id: "guide-editor") {
      HiddenValue("draft", viewModel.guideID.uuidString)
      Field(
        say(.title), name: "title", value: viewModel.form.title, error: problem(.title),
        isRequired: true)
      Field(
        say(.guideText), name: "body", value: viewModel.form.body, kind: .text(rows: 14),
        hint: say(.markdownHint), error: problem(.body), isRequired: true)
      Field(
        say(.tags), name: "tags", value: viewModel.form.tags, hint: say(.tagsHint),
        error: problem(.tags))
      SubmitButton(viewModel.isSaving ? say(.saving) : say(.save))
    }
  }

  private func problem(_ field: GuideFormState.Field) -> String? {
    viewModel.problem(field).map { say($0) }
  }
}

extension AnyfleetPages {
  func newGuide(_ request: Request) async throws -> Response {
    try await tabs.open(request) { newGuidePage() }
  }

  func editGuide(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("guide")
    return try await tabs.open(request) { guideEditorPage(id) }
  }

  func saveNewGuide(_ request: Request) async throws -> Response {
    let draftID = try draftID(request.form)
    return try await save(request, at: Address.newEntry(in: .guides)) { newGuidePage(draftID) }
  }

  func saveGuide(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("guide")
    return try await save(request, at: Address.editEntry(id, in: .guides)) { guideEditorPage(id) }
  }

  private func save(
    _ request: Request, at address: String, page: @MainActor () -> GuideEditorPage
  ) async throws -> Response {
    let fields = try request.form
    return try await tabs.act(request, at: address, page: page) { page in
      if let error = page.loadError { throw error }
      page.viewModel.form.title = fields["title"] ?? ""
      page.viewModel.form.body = (fields["body"] ?? "").withPlainLineBreaks
      page.viewModel.form.tags = fields["tags"] ?? ""
      let guide = await page.viewModel.save()
      return guide.map { .go(to: Address.entry($0.id, in: .guides)) } ?? .invalid
    }
  }

  /// - Parameter draftID: the id that the form was given before, where it comes back.
  @MainActor private func newGuidePage(_ draftID: UUID? = nil) -> GuideEditorPage {
    GuideEditorPage(shell: shell, viewModel: dependencies.makeNewGuide(draftID: draftID))
  }

  @MainActor private func guideEditorPage(_ id: UUID) -> GuideEditorPage {
    GuideEditorPage(shell: shell, viewModel: dependencies.makeGuide(id))
  }
}
