import MessAI

/// Saves 1,000 messages of an account by a call each, which returns when its message is on the disk.
///
/// The calls overlap, so that they share commits. Calls in turn wait for the disk 1,000 times; their time is
/// reported beside it, in microseconds for each.
struct MessagesOneByOne: Job {
  let name = "messages-one-by-one"
  let goal = Goal.milliseconds(must: 500)

  private let size = 1_000
  private let rounds = 10
  private let countInTurn = 200

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let conversations = NumberedConversation(
      count: 1, messageCount: size * (rounds + 1) + countInTurn)
    let manager = try await NumberedConversation.open(folder.file("messai.sqlite"))
    try await manager.saveConversation(conversations.conversation(0))
    var number = 0
    var measurement = try await Measurement.alone(rounds: rounds) {
      let messages = (number..<number + size).map { conversations.ownMessage($0) }
      number += size
      try await withThrowingTaskGroup(of: Void.self) { group in
        for message in messages {
          group.addTask { try await manager.saveMessage(message, isSynced: false) }
        }
        try await group.waitForAll()
      }
    }
    let time = try await Measurement.milliseconds {
      for message in number..<number + countInTurn {
        try await manager.saveMessage(conversations.ownMessage(message), isSynced: false)
      }
    }
    measurement.figures["in turn µs"] = (time * 1_000 / Double(countInTurn)).rounded()
    let stored = try await manager.fetchMessages(conversationId: conversations.id(0))
    try expect(stored.count == conversations.messageCount, "all messages")
    return measurement
  }
}
