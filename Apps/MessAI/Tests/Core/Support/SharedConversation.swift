import OffshoreHTTP
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport

@testable import MessAI

/// The conversation `c1` that ann has made and ben has joined, each on a device, and a real server.
@MainActor struct SharedConversation {
  let server: LoopbackServer
  /// The changes that the server has received.
  let wire: Wire
  let ann: ChatDevice
  let ben: ChatDevice
  /// The folder of the server's files.
  private let folder: TemporaryFolder

  init() async throws {
    wire = Wire()
    folder = try TemporaryFolder()
    server = try LoopbackServer(
      try MessAISchema.current.manifest, blobs: BlobStore(folder.file("blobs")),
      middleware: [wire.middleware])
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

/// The changes and files that a server has received, accepted or not.
final class Wire: Sendable {
  private let received = Mutex<[Op]>([])
  private let names = Mutex<(scopes: Set<String>, files: Set<String>)>(([], []))
  private let isRefusing = Mutex(false)
  /// Holds the requests that send files back while it is closed.
  let uploads = Gate(isOpen: true)
  /// Holds the requests that fetch files back while it is closed.
  let downloads = Gate(isOpen: true)

  /// Records the changes of each push, and the files of other requests.
  var middleware: Middleware {
    Middleware { [self] request, next in
      if request.path == "/v1/push", let push = try? PushRequest(body: request.body) {
        received.withLock { $0 += push.batches.flatMap(\.ops) }
        names.withLock { $0.scopes.formUnion(push.batches.map(\.scope.value)) }
      }
      guard request.path.hasPrefix("/v1/blobs/") else { return try await next(request) }
      guard request.method == .put else {
        await downloads.pass()
        return try await next(request)
      }
      names.withLock { _ = $0.files.insert(String(request.path.suffix(64))) }
      await uploads.pass()
      guard !refusesFiles else {
        let problem = #"{"code": "tooLarge", "message": "The file is too large."}"#
        return Response(.contentTooLarge, body: .bytes(Array(problem.utf8)))
      }
      return try await next(request)
    }
  }

  /// Whether the server does not accept files.
  var refusesFiles: Bool {
    get { isRefusing.withLock(\.self) }
    set { isRefusing.withLock { $0 = newValue } }
  }

  /// The ids of the conversations with changes.
  var conversations: Set<String> { names.withLock(\.scopes) }

  /// Returns whether a part of a file has arrived, or the question whether the server has it.
  func hasSeen(_ file: BlobReference) -> Bool {
    names.withLock { $0.files.contains(file.hash.description) }
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
