import Foundation
import MessAI
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The form for a new conversation or group.
final class NewConversationPage: RoutedPage {
  private let frame: AppFrame
  private let model: NewConversationViewModel
  private let id: UUID
  private var name = ""
  private var chosen: Set<UUID> = []

  init(_ frame: AppFrame, _ app: MessAIDependencies) {
    self.frame = frame
    model = NewConversationViewModel(app.localDataManager)
    id = app.makeID()
  }

  private var say: Localizer { frame.say }

  func load() async { await model.load() }

  func prepare(for form: PageForm) throws {
    name = form.text("name")
    chosen = Set(
      form.fields.items.filter { $0.name.hasPrefix(Self.memberField) }
        .compactMap { UUID(uuidString: String($0.name.dropFirst(Self.memberField.count))) })
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, say(.newConversation), in: .conversations,
      back: PageLink(say(.conversations), to: MessAIRoute.conversations.address)
    ) {
      tab.region("new-conversation") { [self] in
        if let failure = model.failure { ErrorView(say(.sentences(of: failure))) }
        PostForm(to: MessAIRoute.newConversation.address, id: "new-form") {
          HiddenValue("entry", id.uuidString)
          Field(
            say(.groupName), name: "name", value: name, hint: say(.groupNameHint),
            error: model.nameError.map { say($0.localizedMessage(naming: .ofMessages)) },
            maximumLength: Conversation.nameLimit)
          people
          SubmitButton(say(.create), action: "create")
        }
        p(.class("hint")) { say(.invitationHint) }
      }
    }
  }

  @HTMLBuilder private var people: HTML {
    if let people = model.people.state.data, !people.isEmpty {
      FieldGroup(say(.peopleYouKnow), id: "people") {
        for person in people {
          CheckField(
            person.name, name: "\(Self.memberField)\(person.id)", isOn: chosen.contains(person.id))
        }
      }
    }
  }

  /// The beginning of the names of the checkboxes, before the id of a person.
  private static let memberField = "member-"

  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "create" else { throw form.unknownAction }
    try prepare(for: form)
    let id = try form.value("entry", as: UUID.self)
    return await model.create(
      id, named: name, with: chosen.sorted { $0.uuidString < $1.uuidString })
      ? .go(to: MessAIRoute.conversation(id.uuidString).address) : .invalid
  }
}
