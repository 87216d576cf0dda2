import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Writing a guide.
struct GuideEditorPage: EditorPage {
  static let part = LibraryPart.guides
  static let name = "guide"

  let shell: Shell
  let viewModel: GuideViewModel

  @HTMLBuilder var fields: HTML {
    Field(
      say(.title), name: "title", value: viewModel.form.title, error: problem(.title),
      isRequired: true)
    Field(
      say(.guideText), name: "body", value: viewModel.form.body, kind: .text(rows: 14),
      hint: say(.markdownHint), error: problem(.body), isRequired: true)
    Field(
      say(.tags), name: "tags", value: viewModel.form.tags, hint: say(.tagsHint),
      error: problem(.tags))
    saveButton
  }
}

extension GuideFormState {
  /// Reads a form.
  /// - Throws: ``HTTPError`` with 400 where it has no version.
  fileprivate init(_ fields: Fields) throws {
    self.init()
    title = fields["title"] ?? ""
    body = (fields["body"] ?? "").withPlainLineBreaks
    tags = fields["tags"] ?? ""
    basedOn = try EntryVersion.date(fields)
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
    let keep: @MainActor (GuideViewModel) -> Void = { _ in }
    return try await edit(
      request, GuideFormState(fields), at: address,
      change: fields["action"] == keepingDraft ? keep : nil, page: page)
  }

  /// - Parameter draftID: the id that the form was given before, where it comes back.
  @MainActor private func newGuidePage(_ draftID: UUID? = nil) -> GuideEditorPage {
    GuideEditorPage(shell: shell, viewModel: dependencies.makeNewGuide(draftID: draftID))
  }

  @MainActor private func guideEditorPage(_ id: UUID) -> GuideEditorPage {
    GuideEditorPage(shell: shell, viewModel: dependencies.makeGuide(id))
  }
}
