import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// A device with a new device id that still has pending batches under its former one.
struct FormerNameTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }

  init() throws { harbour = try .withTwoCharters() }

  private static func task(_ id: String, in charter: String) -> SQL {
    "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(id), \(charter), 'Ropes', 0)"
  }

  /// Makes the server answer Anna's next push in a charter as forked: a copy of her file pushes
  /// first.
  private func fork(in charter: String) throws {
    let copy = try anna.copy(3)
    try copy.run(Self.task("copy", in: charter))
    try copy.push()
  }

  @Test func `An edit waits for the insertion of its row under the former device id`() throws {
    try fork(in: "c1")
    try anna.run(Self.task("a", in: "c1"))
    let request = try #require(try anna.nextPush())
    try anna.run(Self.task("b", in: "c2"))
    let response = try harbour.answer(request, of: anna.account)
    #expect(try anna.take(response, to: request).isForked)
    try anna.run("UPDATE tasks SET title = 'Lines' WHERE id = 'b'")
    try anna.pullAll()
    let next = try #require(try anna.nextPush())
    #expect(next.batches.map(\.scope.value) == ["c1"])
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t-c2": "Sails", "b": "Lines"])
    #expect(try anna.dead() == [])
  }

  @Test func `An unsent change gets the new device id at once`() throws {
    try fork(in: "c1")
    try anna.run("INSERT INTO charters VALUES ('c9', 'Luna')")
    try anna.run(Self.task("a", in: "c1"))
    #expect(try anna.push()?.isForked == true)
    try harbour.grant(.editor, to: anna, "c9")
    try anna.pullAll()
    try anna.run("UPDATE tasks SET votes = votes + 1 WHERE id = 't-c1'")
    while try anna.nextPush() != nil {
      try anna.push(losingAnswer: true)
      try anna.pullAll()
      #expect(try anna.device.number("SELECT votes FROM tasks WHERE id = 't-c1'") == 1)
    }
    let device = try anna.device.texts("SELECT hex(device) FROM _state")
    let sender = "SELECT hex(device) FROM _cursor WHERE scope = 'charter/c9'" as SQL
    #expect(try anna.device.texts(sender) == device)
    try harbour.settle()
    #expect(try harbour.titles("c9") == [:])
    #expect(try harbour.server.scope(ScopeID("charter/c9")).head == 1)
  }
}
