import MessAI
import OffshorePresentation

/// Opens a conversation among 1,000,000 messages at its end, and around a message in its middle, until the
/// screen has the rows. The time is that of the slower one. The median of each is reported beside it, in
/// microseconds.
struct MessagesPage: Job {
  let name = "messages-page"
  let goal = Goal.milliseconds(must: 5)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    try await measure(MessagesOnDisk(in: folder).manager)
  }

  @MainActor
  private func measure(_ manager: LocalDataManager) async throws -> Measurement {
    let conversations = MessagesOnDisk.conversations
    var (measurement, ends, hits) = (Measurement(), [Double](), [Double]())
    // Each round opens another conversation, whose rows are not in the page cache.
    for round in -1..<Measurement.rounds {
      let conversation = (round + 1) * 29
      let last = conversations.message(at: 999, in: conversation)
      let hit = conversations.message(at: 400, in: conversation)
      let end = try await open(conversation, at: .end, showing: last, manager)
      let around = try await open(
        conversation, at: .around(conversations.messageID(hit)), showing: hit, manager)
      guard round >= 0 else { continue }
      ends.append(end)
      hits.append(around)
      measurement.ours.append(max(end, around))
    }
    measurement.figures["end µs"] = (ends.median * 1_000).rounded()
    measurement.figures["around µs"] = (hits.median * 1_000).rounded()
    return measurement
  }

  @MainActor
  private func open(
    _ conversation: Int, at position: WindowPosition<String>, showing message: Int,
    _ manager: LocalDataManager
  ) async throws -> Double {
    let conversations = MessagesOnDisk.conversations
    let model = ChatViewModel(
      conversations.id(conversation), at: position, SyncManager(localDataManager: manager),
      images: MessageImages(manager))
    let time = await Measurement.milliseconds { await model.window.load() }
    let shown = model.window.state.data ?? []
    try expect(shown.count >= 50, "a page, not \(shown.count) rows")
    try expect(model.window.canLoadBefore, "messages before the page")
    let expected = conversations.message(message)
    try expect(shown.contains { $0.message == expected }, "message \(message)")
    return time
  }
}
