import MessAI

/// Saves 1,000 messages of a conversation in one transaction, durably.
struct MessagesBatch: Job {
  let name = "messages-batch"
  let goal = Goal.milliseconds(must: 20)

  private let size = 1_000

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let conversations = NumberedConversation(
      count: 1, messageCount: size * (Measurement.rounds + 1))
    let manager = LocalDataManager(
      try PersistenceController(path: folder.file("messai.sqlite")))
    try await manager.saveConversation(conversations.conversation(0))
    var (number, messages) = (0, [Message]())
    return try await Measurement.alone {
      messages = (number..<number + size).map { conversations.message($0) }
      number += size
    } ours: {
      try await manager.batchSaveMessages(messages)
    }
  }
}
