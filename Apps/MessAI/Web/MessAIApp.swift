package import MessAI
package import OffshoreHTTP
package import OffshoreHost
package import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// MessAI, to be opened by a host.
package enum MessAIApp {
  /// Returns the app with sample content for a demonstration.
  package static func hosted(
    demonstration:
      @escaping @MainActor @Sendable (MessAIDependencies, AppFrame) -> (
        any Demonstration
      )? = { _, _ in nil }
  ) -> HostedApp {
    HostedApp(
      "messai", title: .appName, icon: Icon("chat-dots", text: "✉"),
      languages: [.english, .russian], schema: MessAISchema.current
    ) { device in
      let app = try await MessAIDependencies(
        device.store, server: device.server, networkMonitor: NetworkMonitor(),
        makeID: device.environment.makeID, sleep: device.environment.sleep)
      let frame = AppFrame.messAI(app, device)
      return OpenApp(
        frame, demonstration: demonstration(app, frame),
        badge: { AppBadge(unread: app.unreadCount.state.data) }
      ) {
        $0.addMessAI(app, of: frame)
      }
    }
  }
}

extension AppFrame {
  /// Returns the frame of MessAI's pages.
  fileprivate static func messAI(_ app: MessAIDependencies, _ device: AppDevice) -> AppFrame {
    AppFrame(
      .appName, mark: .messAI,
      parts: [
        Part(
          .conversations, .messages, to: MessAIRoute.conversations.address,
          icon: Icon("chat-dots", text: "✉")),
        Part(.unsent, .unsent, to: MessAIRoute.unsent.address, icon: Icon("send", text: "↑")),
        .profile,
      ],
      store: device.store, sync: app.service, language: device.language, tabs: device.tabs,
      facts: .messAI)
  }
}

extension Router {
  /// Adds the pages of MessAI.
  @MainActor package mutating func addMessAI(_ app: MessAIDependencies, of frame: AppFrame) {
    addPages(MessAIRoute.self, of: frame) { route, query in
      switch route {
      case .conversations: ConversationsPage(frame, app, query)
      case .newConversation: NewConversationPage(frame, app)
      case .conversation(let id): ChatPage(frame, app, id, query)
      case .editConversation(let id): GroupPage(frame, app, id)
      case .unsent: UnsentPage(frame, app)
      }
    }
    addMembers(of: frame, .conversation)
    addFiles(of: frame)
    addStylesheet(.chat)
  }
}

extension AppBadge {
  /// Creates the badge of a number of unread messages; `nil` if there are none.
  fileprivate init?(unread count: Int?) {
    guard let count, count > 0 else { return nil }
    self.init("\(count)", label: .newMessages(count))
  }
}

extension AppMark {
  /// A speech balloon.
  static let messAI = AppMark(
    name: "MessAI", colors: (top: "#7b61ff", bottom: "#2b1a78"),
    path: "M12 12h40v26H30l-12 12V38h-6z")
}

extension AppFacts {
  /// The facts about MessAI.
  static let messAI = AppFacts(
    purpose: LocalizedText(
      en:
        "MessAI is for people who write where the network does not reach: messages wait on this device, "
        + "and arrive once and in order.",
      ru:
        "MessAI — для тех, кто пишет там, куда не достаёт сеть: сообщения ждут на устройстве и приходят "
        + "один раз и по порядку."),
    licence: LocalizedText(
      en: "MessAI is free software under the MIT licence.",
      ru: "MessAI — свободная программа под лицензией MIT."),
    kinds: [
      "conversations": .conversation, "messages": .message,
      "receipts": LocalizedText(en: "Receipt", ru: "Отметка о прочтении"),
    ], serverCommand: "offshore-apps --server URL")
}
