import Foundation
import Offshore
import OffshoreSync
import TestSupport
import Testing

@testable import MessAI

/// The numbers of unread messages of three members who write, read and sync in any order. One of them leaves.
@Suite(.timeLimit(.minutes(2)))
struct SharedUnreadCountTests {
  /// The facts that a device's counts follow from, by the names of the test.
  private struct Model {
    /// The authors of all messages.
    var authors: [String: String] = [:]
    /// The messages that each person has read.
    var read: [String: Set<String>] = [:]
  }

  private func run(_ seed: UInt64) async throws {
    let chat = try await Chat(with: "cleo")
    let cleo = chat.others[0]
    // A second device of the leaving member. It syncs as any other.
    let tablet = try Phone(cleo.account, of: chat.post, MessAISchema.current)
    try await tablet.link()
    try await chat.post.settle(tablet)
    let devices = chat.phones + [tablet]
    var (random, model) = (SeededRandom(seed: seed), Model())
    for number in 1...90 {
      if number == 60 {
        try await cleo.store.leave(.known("c1"), retainingCopy: true)
      }
      let device = random.pick(devices)
      let step = try await perform(number, on: device, &model, &random)
      for device in devices {
        try await expect(model, of: device, "seed \(seed), step \(number): \(step)")
      }
    }
    for _ in 1...2 { try await chat.post.settle(devices) }
    for device in devices {
      try await expect(model, of: device, "seed \(seed), at the end", isSettled: true)
    }
    #expect(model.authors.count > 20 && model.read.values.allSatisfy { !$0.isEmpty })
  }

  private func perform(
    _ number: Int, on device: Phone, _ model: inout Model, _ random: inout SeededRandom
  ) async throws -> String {
    switch random.number(below: 8) {
    case 0...2:
      let id = "m\(number)"
      do {
        try await device.write("Text \(number)", id: id)
        model.authors[id] = device.id
        return "\(device.account.name) writes \(id)"
      } catch PersistenceError.saveFailed {
        return "\(device.account.name) may not write"
      }
    case 3, 4:
      let known = try await device.data.fetchMessages(conversationId: "c1")
        .filter { $0.senderId != device.id }
      guard !known.isEmpty else { return "nothing to read" }
      let id = random.pick(known).id
      try await device.receive(.read, id)
      model.read[device.id, default: []].insert(id)
      return "\(device.account.name) reads \(id)"
    case 5: try await device.push(losingAnswer: random.number(below: 3) == 0)
    case 6: try await Receipts(manager: device.data).confirmArrivals()
    default: try await device.pullAll()
    }
    return "\(device.account.name) syncs"
  }

  /// Compares the count of a device with a recount of its rows, and with the model as far as one device of a
  /// person knows it.
  private func expect(
    _ model: Model, of device: Phone, _ step: String, isSettled: Bool = false
  ) async throws {
    guard let conversation = try await device.conversation() else {
      Issue.record("\(step): \(device.account.name) has no conversation")
      return
    }
    let user = device.id
    let (ids, readHere) = try await device.store.read { reader in
      let others = try MessageRow.all(in: "c1").all(reader).filter { $0.senderId != user }
      let receipts = try ReceiptRow.where { $0.userId == user && $0.state == .read }.all(reader)
      return (Set(others.map(\.id)), Set(receipts.map(\.messageId)))
    }
    #expect(conversation.unreadCount == ids.subtracting(readHere).count, "\(step)")
    let read = model.read[user] ?? []
    #expect(readHere.isSubset(of: read), "\(step)")
    guard isSettled else { return }
    #expect(ids.allSatisfy { model.authors[$0] != nil && model.authors[$0] != user }, "\(step)")
    let role = try await device.store.read { [store = device.store] in
      try store.role(in: .known("c1"), $0)
    }
    // Who has left reads a copy on each device by itself.
    if role?.canWrite == true { #expect(readHere == read.intersection(ids), "\(step)") }
  }

  @Test(arguments: UInt64(1)...4)
  func `They equal a recount after each step`(seed: UInt64) async throws { try await run(seed) }
}
