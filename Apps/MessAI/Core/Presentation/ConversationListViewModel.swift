package import Foundation
public import Observation
package import Offshore
public import OffshorePresentation
import OffshoreSync

/// The model of the list of conversations, and of the search in all messages.
@MainActor @Observable
public final class ConversationListViewModel {
  /// The conversations, the one with the last message first.
  public let conversations: PagedList<ConversationEntry>
  /// The messages that the search has found, the newest first.
  public let hits: PagedList<SearchHit>
  /// The words of the search.
  public let searchText: String
  /// The rows that cannot be read.
  public private(set) var unreadable: [AppError] = []

  /// Creates a model. Nothing is read before ``load(pageCount:)``.
  /// - Parameter searchText: the words of a search; empty for the list of conversations.
  public init(_ manager: LocalDataManager, matching searchText: String = "") {
    self.searchText = searchText
    let receive = ErrorReceiver()
    conversations = PagedList {
      await manager.conversationChanges().running()
    } page: { entry, size in
      let page = try await manager.conversations(after: entry, limit: size)
      receive.receive(page.unreadable.map(\.asAppError))
      return page.rows
    }
    hits = PagedList {
      await manager.messageChanges().running()
    } page: { hit, size in
      try await manager.hits(searchText, after: hit, limit: size)
    }
    receive.receive = { [weak self] errors in
      for error in errors where self?.unreadable.contains(error) == false {
        self?.unreadable.append(error)
      }
    }
  }

  /// Whether the page shows the results of a search.
  public var isSearching: Bool { !searchText.allSatisfy(\.isWhitespace) }

  /// Reads the list, and observes it.
  /// - Parameter pageCount: the number of pages to read.
  public func load(pageCount: Int = 1) async {
    if isSearching {
      await Self.load(hits, pageCount)
    } else {
      await Self.load(conversations, pageCount)
    }
  }

  private static func load<Element>(_ list: PagedList<Element>, _ pageCount: Int) async {
    await list.load()
    for _ in 1..<max(1, pageCount) where list.canLoadMore { await list.loadMore() }
  }

  /// Reads the next page, if there is one.
  public func loadMore() async {
    if isSearching { await hits.loadMore() } else { await conversations.loadMore() }
  }
}

/// A message that a search has found, with its conversation.
public struct SearchHit: Identifiable, Hashable, Sendable {
  public let message: Message
  public let conversation: ConversationEntry?

  public var id: String { message.id }
}

extension LocalDataManager {
  /// Observes the conversations: the values differ, one after each change.
  package func conversationChanges() -> ObservedValues<UUID> {
    store.values { [store] reader in
      let first = try ConversationRow.latest.limit(1).readable(reader).rows.first
      if let first { _ = try ConversationEntry(first, store, reader) }
      return UUID()
    }
  }

  /// Returns a page of the messages that a search finds, with their conversations.
  package func hits(
    _ text: String, after hit: SearchHit?, limit: Int
  ) async throws -> [SearchHit] {
    let messages = try await searchMessages(text, after: hit?.message, limit: limit)
    let ids = Set(messages.map(\.conversationId))
    let entries = try await store.read { [store] reader in
      try ConversationRow.where { $0.id.in(ids) }.readable(reader).rows.map {
        try ConversationEntry($0, store, reader)
      }
    }
    let byID = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return messages.map { SearchHit(message: $0, conversation: byID[$0.conversationId]) }
  }
}
