import Foundation
import MessAI
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// All messages that wait to be sent or have failed.
struct UnsentPage: RoutedPage {
  let frame: AppFrame
  let model: UnsentViewModel

  init(_ frame: AppFrame, _ app: MessAIDependencies) {
    self.frame = frame
    model = UnsentViewModel(app.syncManager)
  }

  private var say: Localizer { frame.say }
  private var address: String { MessAIRoute.unsent.address }

  func load() async { await model.load() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.unsent), in: .unsent) {
      tab.region("unsent") {
        Notices(Notice.all(of: model.unreadable.state.data ?? []), say, address: address)
        StateContent(
          model.entries.state, say, address: address,
          empty: EmptyView(
            icon: Icon("check2-all", text: "✓"), title: say(.allSent), text: say(.allSentText))
        ) { entries in
          if entries.contains(where: { $0.actions.contains(.retry) }) {
            PostForm(to: address, id: "retry-all") {
              SubmitButton(say(.retryAll), style: .plain, action: "retry-all")
            }
          }
          Card(label: say(.unsent), id: "unsent-list") {
            for entry in entries { row(entry) }
          }
        }
      }
    }
  }

  private func row(_ entry: ChatEntry) -> HTML {
    let message = entry.message
    let failure = model.actions.failure.flatMap { $0.messageId == entry.id ? $0.cause : nil }
    return div(.id("unsent-\(entry.id)")) {
      a(.class("row"), .href(MessAIRoute.address(of: message))) {
        span(.class("label")) {
          message.text.isEmpty ? say(.photo) : String(message.text.prefix(200))
          small { say(SendingText(entry, frame).text) }
        }
        Badge(
          say(message.status == .failed ? .failed : .waiting),
          tone: message.status == .failed ? .bad : .none)
      }
      if let failure {
        p(.class("error"), .role(.alert)) { say(.sentences(of: failure)) }
      }
      OwnMessageTools(
        entry, to: address, frame.language.language,
        model.actions.refusedEdit.flatMap { $0.messageId == entry.id ? $0 : nil })
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if form.action == "retry-all" {
      await model.retryAll()
      return .done
    }
    guard let outcome = try await model.actions.perform(form) else { throw form.unknownAction }
    return outcome
  }
}

extension MessageActions {
  /// Performs a form of ``OwnMessageTools``, or one that deletes a message of another member.
  /// - Returns: the outcome, or `nil` for a form with another action.
  func perform(_ form: PageForm) async throws -> Outcome? {
    guard ["retry", "cancel", "edit", "delete"].contains(form.action) else { return nil }
    let id = try form.value("message", as: String.self)
    let isDone =
      switch form.action {
      case "retry": await retry(id)
      case "cancel": await cancel(id)
      case "edit": await edit(id, to: form.text("text"))
      default: await delete(id)
      }
    return isDone ? .done : .invalid
  }
}

/// The buttons of a message of the user: those of retry, edit, cancel and deletion that are possible now.
struct OwnMessageTools: Component {
  private let entry: ChatEntry
  private let address: String
  private let language: Language
  private let refusedEdit: RefusedEdit?

  /// - Parameter refusedEdit: the latest edit of the message, if its text is not allowed.
  init(
    _ entry: ChatEntry, to address: String, _ language: Language,
    _ refusedEdit: RefusedEdit? = nil
  ) {
    (self.entry, self.address) = (entry, address)
    (self.language, self.refusedEdit) = (language, refusedEdit)
  }

  private func say(_ text: LocalizedText) -> String { text.in(language) }

  /// Returns the name of a button, which differs from those of other messages.
  private func name(_ action: LocalizedText) -> String {
    let text = entry.message.text
    return say(.action(action, on: text.isEmpty ? say(.photo) : String(text.prefix(40))))
  }

  @HTMLBuilder var html: HTML {
    let tools: Set<MessageAction> = [.retry, .edit, .cancel, .deleteForAll]
    if !entry.actions.isDisjoint(with: tools) {
      div(.class("under")) {
        if entry.actions.contains(.retry) {
          PostForm(to: address, id: "retry-\(entry.id)") {
            HiddenValue("message", entry.id)
            SubmitButton(
              say(.tryAgainNow), style: .plain, label: name(.tryAgainNow), action: "retry")
          }
        }
        if entry.actions.contains(.edit) { edit }
        if entry.actions.contains(.cancel) {
          removal("cancel", .cancelMessage, .cancelExplained)
        }
        if entry.actions.contains(.deleteForAll) {
          removal("delete", .deleteForAll, .deletionExplained)
        }
      }
    }
  }

  private var edit: HTML {
    details(.id("edit-\(entry.id)"), .class("manage"), .open(refusedEdit != nil)) {
      summary(.ariaLabel(name(.editMessage))) { say(.editMessage) }
      PostForm(to: address, id: "edit-form-\(entry.id)") {
        HiddenValue("message", entry.id)
        Field(
          say(.message), name: "text", value: refusedEdit?.text ?? entry.message.text,
          kind: .text(rows: 3), error: refusedEdit.map { say($0.error.sentenceForText) },
          id: "text-\(entry.id)")
        SubmitButton(say(.saveAndSend), action: "edit")
      }
    }
  }

  /// An action that cannot be undone, behind a sentence about it.
  private func removal(
    _ action: String, _ title: LocalizedText, _ explanation: LocalizedText
  ) -> HTML {
    details(.id("\(action)-\(entry.id)"), .class("remove")) {
      summary(.ariaLabel(name(title))) { say(title) }
      p(.class("hint")) { say(explanation) }
      PostForm(to: address, id: "\(action)-form-\(entry.id)") {
        HiddenValue("message", entry.id)
        SubmitButton(say(title), style: .destructive, action: action)
      }
    }
  }
}

/// The reason why a message was not sent yet, and the time of the next attempt.
@MainActor struct SendingText {
  let text: LocalizedText

  init(_ entry: ChatEntry, _ frame: AppFrame) {
    let say = frame.say
    guard let state = entry.sending else {
      text = .waitsForNetwork
      return
    }
    let reason: LocalizedText? = state.reason.map { reason in
      switch reason {
      case .tooLarge where state.status == .synced: .imageTooLarge
      case .forbidden: .writingForbidden
      default: frame.text(of: reason)
      }
    }
    let parts = [
      reason, state.attempts > 0 ? .attempts(state.attempts) : nil,
      state.nextTry.map { .nextTry(say.time($0)) },
    ].compactMap(\.self)
    text =
      parts.isEmpty
      ? (state.status == .synced ? .imageOnItsWay : .waitsForNetwork)
      : LocalizedText(verbatim: parts.map { say($0) }.joined(separator: " "))
  }
}
