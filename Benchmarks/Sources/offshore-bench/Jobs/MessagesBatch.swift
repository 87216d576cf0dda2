import MessAI

/// Saves 1,000 messages of a conversation in one transaction, durably, as the first messages of a new
/// file.
///
/// A file with more messages takes longer, because ids are random: each new row is in another page of the
/// indexes. The time after 30,000 messages is reported beside it, in microseconds.
struct MessagesBatch: Job {
  let name = "messages-batch"
  let goal = Goal.milliseconds(must: 20)

  private let size = 1_000
  private let laterBatches = 30..<35

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let conversations = NumberedConversation(
      count: 1, messageCount: size * laterBatches.upperBound)
    let first = batch(0, of: conversations)
    var (round, manager) = (0, try await open("0", in: folder, conversations))
    var measurement = try await Measurement.alone {
      round += 1
      manager = try await open("\(round)", in: folder, conversations)
    } ours: {
      try await manager.batchSaveMessages(first)
    }
    var times: [Double] = []
    for number in 1..<laterBatches.upperBound {
      let messages = batch(number, of: conversations)
      let time = try await Measurement.milliseconds {
        try await manager.batchSaveMessages(messages)
      }
      if laterBatches.contains(number) { times.append(time) }
    }
    measurement.figures["after 30,000 µs"] = (times.median * 1_000).rounded()
    return measurement
  }

  private func open(
    _ name: String, in folder: BenchFolder, _ conversations: NumberedConversation
  ) async throws -> LocalDataManager {
    let manager = try await NumberedConversation.open(folder.file("messai-\(name).sqlite"))
    try await manager.saveConversation(conversations.conversation(0))
    return manager
  }

  private func batch(_ number: Int, of conversations: NumberedConversation) -> [Message] {
    (number * size..<(number + 1) * size).map { conversations.message($0) }
  }
}
