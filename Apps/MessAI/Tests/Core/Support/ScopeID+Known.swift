import OffshoreWire
import Testing

@testable import MessAI

extension ScopeID {
  /// Returns the scope of a conversation whose id can be sent.
  static func known(_ conversationId: String) throws -> ScopeID {
    try #require(ScopeID.conversation(conversationId))
  }
}
