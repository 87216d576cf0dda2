import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Entering a new charter, with what is wrong beside the fields.
struct CreateCharterPage: LivePage {
  let frame: AppFrame
  let viewModel: CreateCharterViewModel
  let draft: CharterDraft

  fileprivate var say: Speaker { frame.say }

  func load() async {
    await viewModel.load()
    viewModel.chooseAllChecklists()
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, say(.newCharter), in: .charters, back: PageLink(say(.charters), to: Address.charters)
    ) {
      tab.region("charter-form") {
        Notices(viewModel.notices, say, address: Address.newCharter)
        if let error = viewModel.saveError { ErrorView(error, say) }
        if viewModel.isChecklistGone {
          ErrorView(say(.checklistGone), suggestion: say(.createWithout))
        }
        if let charter = viewModel.earlierCharter { earlier(charter) }
        PostForm(to: Address.newCharter, id: "new-charter", draftAction: keepingDraft) {
          HiddenValue("charterID", viewModel.charterID.uuidString)
          CharterFormView(say: say, input: draft.input, problems: viewModel.validationErrors).html
          checklists
          CompletionCard(viewModel.missingSteps, advice: viewModel.advice, say)
          SaveBar(say(viewModel.isSaving ? .saving : .createCharter))
        }
      }
    }
  }

  private func earlier(_ charter: CharterModel) -> ErrorView {
    ErrorView(
      say(.createdBefore(charter.name)), suggestion: say(.sendAgain),
      retry: .link(say(.showCharter(charter.name)), to: Address.charter(charter.id)))
  }

  @HTMLBuilder private var checklists: HTML {
    if !viewModel.checklists.isEmpty {
      fieldset(.id("checklists")) {
        legend { say(.chooseChecklists) }
        for checklist in viewModel.checklists {
          ChecklistChoice(checklist, isOn: viewModel.checklistIDs.contains(checklist.id))
        }
      }
    }
  }
}

/// A checklist that can be chosen.
struct ChecklistChoice: Component {
  private static let prefix = "checklist-"

  let html: HTML

  init(_ checklist: Checklist, isOn: Bool) {
    html =
      CheckField(
        checklist.title, name: Self.prefix + checklist.id.uuidString, isOn: isOn,
        hint: checklist.description
      ).html
  }

  /// The checklists that were chosen in a form.
  static func chosen(_ fields: Fields) -> Set<UUID> {
    Set(
      fields.items.filter { $0.name.hasPrefix(prefix) }
        .compactMap { UUID(uuidString: String($0.name.dropFirst(prefix.count))) })
  }
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
      page.viewModel.form = input.state(in: page.say.language)
      page.viewModel.checklistIDs = ChecklistChoice.chosen(fields)
      if fields["action"] == keepingDraft { return .drafted }
      guard let charter = await page.viewModel.saveCharter() else { return .invalid }
      return .go(to: Address.charter(charter.id))
    }
  }

  /// - Parameter charterID: the id that the form was given before, where it comes back.
  @MainActor private func newCharterPage(_ charterID: UUID? = nil) -> CreateCharterPage {
    CreateCharterPage(
      frame: frame, viewModel: dependencies.makeCreateCharter(charterID: charterID),
      draft: CharterDraft())
  }
}
