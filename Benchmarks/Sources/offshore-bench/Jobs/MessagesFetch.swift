import MessAI

/// Fetches the 1,000 messages of a conversation.
struct MessagesFetch: Job {
  let name = "messages-fetch"
  let goal = Goal.milliseconds(must: 2)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let conversations = NumberedConversation(count: 10, messageCount: 10_000)
    let manager = try await NumberedConversation.open(folder.file("messai.sqlite"))
    for number in 0..<conversations.count {
      try await manager.saveConversation(conversations.conversation(number))
    }
    try await manager.batchSaveMessages(
      (0..<conversations.messageCount).map { conversations.message($0) })
    let expected = (0..<1_000).map { conversations.message(conversations.message(at: $0, in: 7)) }
    return try await Measurement.alone {
      let found = try await manager.fetchMessages(conversationId: conversations.id(7))
      try expect(found.count == expected.count, "the messages of the conversation")
      try expect(found.first == expected.first && found.last == expected.last, "their order")
    }
  }
}
