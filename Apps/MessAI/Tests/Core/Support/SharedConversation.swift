import OffshoreHTTP
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization

@testable import MessAI

/// The conversation `c1` that ann has made and ben has joined, each on a device, and a real server.
@MainActor struct SharedConversation {
  let server: LoopbackServer
  /// The changes that the server has received.
  let wire: Wire
  let ann: ChatDevice
  let ben: ChatDevice

  init() async throws {
    wire = Wire()
    server = try LoopbackServer(
      try MessAISchema.current.manifest, middleware: [wire.middleware])
    ann = try await ChatDevice(of: "ann", on: server)
    ben = try await ChatDevice(of: "ben", on: server)
    try await ann.makeConversation("c1")
    try await ann.admit(ben, to: "c1")
  }

  /// Stops the devices and the server.
  func end(_ more: ChatDevice...) async {
    for device in [ann, ben] + more { await device.end() }
    await server.stop()
  }

  /// Returns whether the server has a message, or has ever had it.
  func serverHas(_ id: String, in conversation: String = "c1") async throws -> Bool {
    let scope = try ChatDevice.scope(conversation)
    return try await server.storage.read { storage in
      try storage.row(RowID(table: "messages", id: id), in: scope) != nil
    }
  }

  /// Makes ben a viewer while his device sends nothing, so that the server refuses what he writes.
  func makeBenViewerMeanwhile() async throws {
    try await ben.service.setAirplane(true)
    try await ann.setRole(.viewer, of: ben)
  }

  /// Lets ben write again, and waits until his device knows it.
  func makeBenEditor() async throws {
    try await ann.setRole(.editor, of: ben)
    try await ben.waitForRole(.editor)
  }
}

/// The changes that a server has received, accepted or not.
final class Wire: Sendable {
  private let received = Mutex<[Op]>([])

  /// Records the changes of each push.
  var middleware: Middleware {
    Middleware { [self] request, next in
      if request.path == "/v1/push", let push = try? PushRequest(body: request.body) {
        received.withLock { $0 += push.batches.flatMap(\.ops) }
      }
      return try await next(request)
    }
  }

  /// The ids of the messages in all changes.
  var messageIDs: Set<String> {
    Set(received.withLock { $0 }.map(\.row).filter { $0.table == "messages" }.map(\.id))
  }

  /// Returns the texts that were sent of a message, in order.
  func texts(of id: String) -> [String] {
    received.withLock { $0 }.filter { $0.row == RowID(table: "messages", id: id) }
      .compactMap { $0.fields["text"]?.string }
  }
}
