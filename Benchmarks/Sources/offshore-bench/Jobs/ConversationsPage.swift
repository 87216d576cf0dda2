import MessAI
import OffshorePresentation

/// Opens the list of 1,000 conversations with 1,000,000 messages, until the screen has the first page, and
/// then the second one. The time is that of the slower one.
struct ConversationsPage: Job {
  let name = "conversations-page"
  let goal = Goal.milliseconds(must: 5)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    try await measure(MessagesOnDisk(in: folder).manager)
  }

  @MainActor
  private func measure(_ manager: LocalDataManager) async throws -> Measurement {
    let conversations = MessagesOnDisk.conversations
    // Message by message, the conversations take turns, so the last one has the last message.
    let expected = (0..<conversations.count).reversed().map { conversations.id($0) }
    var measurement = Measurement()
    for round in -1..<Measurement.rounds {
      let model = ConversationListViewModel(manager)
      let first = await Measurement.milliseconds { await model.load() }
      let size = model.conversations.state.data?.count ?? 0
      try expect(size >= 20 && model.conversations.canLoadMore, "a page, not \(size) rows")
      let second = await Measurement.milliseconds { await model.loadMore() }
      let shown = model.conversations.state.data ?? []
      try expect(shown.map(\.id) == Array(expected.prefix(2 * size)), "the latest conversations")
      try expect(
        shown.allSatisfy { $0.conversation.unreadCount == NumberedConversation.unreadOfOther },
        "the unread messages")
      if round >= 0 { measurement.ours.append(max(first, second)) }
    }
    return measurement
  }
}
