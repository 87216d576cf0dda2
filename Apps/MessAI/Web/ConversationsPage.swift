import Foundation
import MessAI
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// All conversations, or the messages that a search has found.
struct ConversationsPage: RoutedPage {
  let frame: AppFrame
  let model: ConversationListViewModel
  let pageCount: Int

  init(_ frame: AppFrame, _ app: MessAIDependencies, _ query: Fields) {
    self.frame = frame
    model = ConversationListViewModel(app.localDataManager, matching: query["q"] ?? "")
    pageCount = min(max(1, query["pages"].flatMap { Int($0) } ?? 1), 50)
  }

  private var say: Localizer { frame.say }

  func load() async { await model.load(pageCount: pageCount) }

  func page(_ tab: Tab) -> Page {
    var page = frame.page(tab, say(.conversations), in: .conversations) {
      tab.region("notices") {
        Notices(Notice.all(of: model.unreadable), say, address: tab.address)
      }
      tab.region("search-field") {
        SearchForm(
          say(.searchMessages), value: model.searchText, to: MessAIRoute.conversations.address)
      }
      tab.region("conversations") {
        if model.isSearching { hits(at: tab.address) } else { conversations(at: tab.address) }
      }
      if !model.isSearching {
        div(.class("buttons", "centered")) { JoinLink(frame, .conversation) }
      }
    } actions: {
      BarLink.new(say(.newConversation), to: MessAIRoute.newConversation.address)
    }
    page.stylesheets = [.chat]
    return page
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "more" else { throw form.unknownAction }
    await model.loadMore()
    return .done
  }

  // MARK: - Conversations

  @HTMLBuilder private func conversations(at address: String) -> HTML {
    let list = model.conversations
    StateContent(
      list.state, say, address: address,
      empty: EmptyView(
        icon: Icon("chat-dots", text: "…"), title: say(.noConversations), text: say(.startOne),
        action: .link(say(.newConversation), to: MessAIRoute.newConversation.address))
    ) { entries in
      Card(label: say(.conversations), id: "conversation-list") {
        for entry in entries { row(entry) }
      }
    }
    more(list.canLoadMore, at: address)
  }

  private func row(_ entry: ConversationEntry) -> LinkRow {
    let conversation = entry.conversation
    let (unread, title) = (conversation.unreadCount, say(entry.localizedTitle))
    return LinkRow(
      title, to: MessAIRoute.conversation(entry.id).address,
      text: conversation.lastMessage.isEmpty
        ? say(entry.endsWithPhoto ? .photo : .noText)
        : String(conversation.lastMessage.prefix(120)),
      id: "conversation-\(entry.id)", leading: avatar(title)
    ) {
      small { say.dayAndTime(conversation.lastMessageAt) }
      if unread > 0 { Badge(say(.newMessages(unread))) }
    }
  }

  /// The first letter of a name in a circle.
  private func avatar(_ title: String) -> HTML {
    span(.class("avatar"), .ariaHidden()) { title.first.map { $0.uppercased() } ?? "" }
  }

  // MARK: - Search

  @HTMLBuilder private func hits(at address: String) -> HTML {
    let list = model.hits
    StateContent(
      list.state, say, address: address,
      empty: EmptyView(
        icon: Icon("search", text: "⌕"), title: say(.nothingFound), text: say(.otherWords))
    ) { hits in
      Card(label: say(.searchResults), id: "hit-list") {
        for hit in hits { row(hit) }
      }
    }
    more(list.canLoadMore, at: address)
  }

  private func row(_ hit: SearchHit) -> HTML {
    let text = HighlightedText(hit.message.text, matching: model.searchText, words: .allBegin)
      .snippet(words: 16)
    return a(
      .class("row"), .href(MessAIRoute.address(of: hit.message)), .id("hit-\(hit.id)")
    ) {
      span(.class("label")) {
        hit.conversation.map { say($0.localizedTitle) } ?? ""
        small {
          for part in text.parts {
            if part.isHit { strong { String(part.text) } } else { String(part.text) }
          }
        }
      }
      span(.class("end")) { small { say.dayAndTime(hit.message.sentAt) } }
    }
  }

  @HTMLBuilder private func more(_ canLoadMore: Bool, at address: String) -> HTML {
    if canLoadMore {
      let pages: Fields = ["pages": "\(pageCount + 1)"]
      let query: Fields =
        model.isSearching ? ["q": model.searchText, "pages": "\(pageCount + 1)"] : pages
      MoreForm(
        say(.showMore), action: address,
        address: "\(MessAIRoute.conversations.address)?\(query.encoded)")
    }
  }
}
