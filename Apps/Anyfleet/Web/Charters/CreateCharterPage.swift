import Anyfleet
import Foundation
import Observation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Entering a new charter, with what is wrong beside the fields.
struct CreateCharterPage: LivePage {
  let shell: Shell
  let viewModel: CreateCharterViewModel
  let draft: CharterDraft
  let days: Days

  func page(_ tab: Tab) -> Page {
    shell.page(
      "New Charter", in: .charters, back: PageLink("Charters", to: Address.charters)
    ) {
      tab.region("charter-form") {
        if let error = viewModel.saveError {
          ErrorView(error, shell.say)
        }
        if let charter = viewModel.earlierCharter { earlier(charter) }
        PostForm(to: Address.newCharter, id: "new-charter") {
          HiddenValue("charterID", viewModel.charterID.uuidString)
          fields
          SubmitButton(viewModel.isSaving ? "Saving…" : "Create Charter")
        }
      }
    }
  }

  private func earlier(_ charter: CharterModel) -> ErrorView {
    ErrorView(
      "This form has created “\(charter.name)” before.",
      suggestion: "Send it again to create one more charter.",
      retry: .link("Show “\(charter.name)”", to: Address.charter(charter.id)))
  }

  @HTMLBuilder private var fields: HTML {
    let input = draft.input
    Field(
      "Name", name: "name", value: input.name, hint: "What you call it, such as Kornati week.",
      error: problem("name"), isRequired: true)
    Field(
      "First day", name: "startDate", value: input.startDate, kind: .input(.date),
      error: problem("startDate"), isRequired: true)
    Field(
      "Last day", name: "endDate", value: input.endDate, kind: .input(.date),
      error: problem("endDate"), isRequired: true)
    Field(
      "Boat", name: "vessel", value: input.vessel, hint: "Her name or type. Optional.",
      error: problem("vessel"))
    Field(
      "Destination", name: "destination", value: input.destination,
      hint: "The marina or the place you sail to. Optional.", error: problem("destination"))
    Field(
      "Region", name: "region", value: input.region, hint: "The sailing area. Optional.",
      error: problem("region"))
    Field(
      "Guests", name: "guests", value: input.guests, kind: .input(.number),
      hint: guestHint, error: problem("guests"), isRequired: true)
  }

  private var guestHint: String {
    let limits = CharterModel.guestLimits
    return "From \(limits.lowerBound) to \(limits.upperBound)."
  }

  /// What keeps a field from being saved, as a sentence.
  private func problem(_ field: String) -> String? {
    viewModel.validationErrors.first { $0.field == field && $0.isBlocking }?.message
  }
}

/// What was typed, for as long as the page is open.
@MainActor @Observable
final class CharterDraft {
  var input = CharterFormInput()
}

extension AnyfleetPages {
  func newCharter(_ request: Request) async throws -> Response {
    try await tabs.open(request) { newCharterPage() }
  }

  func createCharter(_ request: Request) async throws -> Response {
    let fields = try request.form
    guard let charterID = fields["charterID"].flatMap(UUID.init(uuidString:)) else {
      throw HTTPError(.badRequest, "The form has no field charterID that is a UUID.")
    }
    let input = CharterFormInput(fields)
    return try await tabs.act(request, at: Address.newCharter) {
      newCharterPage(charterID)
    } action: { page in
      page.draft.input = input
      page.viewModel.form = input.state(page.days)
      guard let charter = await page.viewModel.saveCharter() else { return .invalid }
      return .go(to: Address.charter(charter.id))
    }
  }

  /// - Parameter charterID: the id that the form was given before, where it comes back.
  @MainActor private func newCharterPage(_ charterID: UUID? = nil) -> CreateCharterPage {
    CreateCharterPage(
      shell: shell, viewModel: dependencies.makeCreateCharter(charterID: charterID),
      draft: CharterDraft(),
      days: days)
  }
}
