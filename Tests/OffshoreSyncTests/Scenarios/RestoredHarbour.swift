import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// Four devices, under which the server's data is restored from a copy.
protocol RestoredHarbour {
  var harbour: Harbour { get }
  /// The server's data of the day before.
  var copy: MemoryState { get }
}

extension RestoredHarbour {
  var anna: Ship { harbour.ships[0] }
  var ben: Ship { harbour.ships[1] }
  var cat: Ship { harbour.ships[2] }
  var dan: Ship { harbour.ships[3] }

  /// Returns four devices with a task, and a copy of the server's data.
  static func makeCopy() throws -> (Harbour, MemoryState) {
    let harbour = try Harbour(ships: 4, schema: .fleet(claimableKinds: ["charter"]))
    let first = harbour.ships[0]
    try first.pullAll()
    try first.run("INSERT INTO charters VALUES ('c1', 'Alma')", Self.task("t1", "Sails"))
    try harbour.settle()
    return (harbour, harbour.server)
  }

  static func task(_ id: String, _ title: String, in charter: String = "c1") -> SQL {
    Task.insertion(id, title, in: charter)
  }

  /// Restores a copy.
  /// - Parameters:
  ///   - other: the copy, or `nil` for the one of the day before.
  ///   - epoch: the new epoch, or `nil` if the operator forgets it.
  func restore(_ other: MemoryState? = nil, epoch: UInt64? = 2) throws {
    harbour.now += 86_400_000
    harbour.server = other ?? copy
    if let epoch { try harbour.server.beginEpoch(epoch) }
  }

  /// Lets some devices push and pull until nothing changes.
  func settle(_ ships: Ship...) throws {
    for _ in 0..<6 {
      for ship in ships {
        while try ship.push()?.hasMore == true {}
        try ship.pullAll()
      }
    }
  }

  /// Lets ben delete task t2, collects the tombstone, and begins an epoch.
  func deleteWithoutTombstone() throws {
    try ben.run("DELETE FROM tasks WHERE id = 't2'")
    try ben.push()
    try harbour.collect()
    try harbour.server.beginEpoch(2)
    try harbour.settle()
  }

  func vote(_ ship: Ship, _ count: Int = 1, _ id: String = "t1") throws {
    try ship.run("UPDATE tasks SET votes = votes + \(count) WHERE id = \(id)")
  }

  func votes(_ id: String = "t1") throws -> WireValue? {
    try harbour.server.row(RowID(table: "tasks", id: id), in: ScopeID("charter/c1"))?
      .state.fields["votes"]
  }

  func lostCounts(_ ships: Ship...) throws -> [Int] {
    try ships.map { ship in
      try ship.device.connection.read { try ship.replica.status($0).lostByRestore }
    }
  }

  func retry(_ ship: Ship) throws -> [Bool] {
    try ship.device.connection.write { writer in
      try ship.replica.deadLetters(writer).map { try ship.replica.retry($0.id, writer) }
    }
  }
}
