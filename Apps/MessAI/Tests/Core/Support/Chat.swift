import Foundation
import OffshoreSync

@testable import MessAI

/// A conversation that ann has made, with ben as a member, and on request others.
struct Chat {
  let post: Post
  let ann: Phone
  let ben: Phone
  /// The members besides ann and ben.
  let others: [Phone]

  var phones: [Phone] { [ann, ben] + others }

  /// - Parameter names: the names of the accounts that are members besides ann and ben.
  init(with names: String...) async throws {
    post = try Post()
    ann = try await post.makePhone(of: "ann")
    ben = try await post.makePhone(of: "ben")
    var others: [Phone] = []
    for name in names { others.append(try await post.makePhone(of: name)) }
    self.others = others
    let now = ann.store.now()
    try await ann.data.saveConversation(
      Conversation(
        id: "c1", participantIds: [ann.id], isGroup: !names.isEmpty, lastMessage: "",
        lastMessageAt: now, createdBy: ann.id, createdAt: now))
    try await post.settle(ann)
    for phone in [ben] + others { try post.grant(.editor, to: phone) }
    try await settle()
  }

  func settle() async throws { try await post.settle(phones) }
}
