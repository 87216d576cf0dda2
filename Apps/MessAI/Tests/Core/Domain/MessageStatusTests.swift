import Testing

@testable import MessAI

/// The order of the progress of a message.
struct MessageStatusTests {
  /// The statuses that each one can become. All other changes are ignored.
  private static let next: [MessageStatus: Set<MessageStatus>] = [
    .sending: [.sent, .delivered, .read, .failed],
    .sent: [.delivered, .read],
    .delivered: [.read],
    .read: [],
    .failed: [.sending],
  ]

  @Test func `The raw values are those that files and other programs know`() {
    #expect(
      MessageStatus.allCases.map(\.rawValue).sorted() == [
        "delivered", "failed", "read", "sending", "sent",
      ])
  }

  @Test(arguments: MessageStatus.allCases, MessageStatus.allCases)
  func `A status moves only forward, to failed from sending alone, and from there to sending`(
    _ former: MessageStatus, _ status: MessageStatus
  ) {
    #expect(former.canBecome(status) == Self.next[former]?.contains(status))
  }

  @Test(arguments: MessageStatus.allCases, MessageStatus.allCases)
  func `A stored message changes by the same order, and has its times from the first entry`(
    _ former: MessageStatus, _ status: MessageStatus
  ) {
    var row = MessageRow(.sample("m1", status: former), isSynced: true)
    row.advance(to: status, at: .at(10))
    let isChanged = Self.next[former]?.contains(status) == true
    #expect(row.status == (isChanged ? status : former))
    #expect((row.readAt == .at(10)) == (isChanged && status == .read))
    #expect(
      (row.deliveredAt == .at(10)) == (isChanged && (status == .delivered || status == .read)))
    let before = row
    row.advance(to: status, at: .at(20))
    #expect(row == before)
  }
}
