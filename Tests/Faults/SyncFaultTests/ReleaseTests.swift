import Offshore
import Testing

extension SyncFaultTests {
  /// Devices of three releases of an app, and a server that is upgraded between them, as processes.
  struct ReleaseTests {
    @Test(.timeLimit(.minutes(2)))
    func `Devices of three releases and a server that is upgraded between them converge`()
      async throws
    {
      let fleet = try await ReleasedFleet()
      try await begin(fleet)
      try await upgradeServer(fleet)
      try await upgradeDevices(fleet)
      let rows = ["a1 Nord 240 lit 7 - 5", "b1 Bight 120 dim 2 red 4", "c1 - 90 out large - 9"]
      for device in ["ann", "ben", "cid"] { #expect(try await fleet.tell(device, "show") == rows) }
      #expect(
        try await fleet.tell("dan", "show") == ["a1 Nord 4 lit 7 oo", "b1 Bight 2 lit 2 -"])
      try await fleet.stop()
      for device in ["ann", "ben", "cid", "dan"] {
        let database = try Database(fleet.file(of: device))
        let (integrity, count) = try await database.read { reader in
          (
            try SQL("PRAGMA integrity_check").all(reader, as: String.self),
            try SQL(
              """
              SELECT (SELECT count(*) FROM _outbox) + (SELECT count(*) FROM _dead)
                + (SELECT count(*) FROM _batch WHERE phase = 0)
              """
            ).first(reader, as: Int.self)
          )
        }
        await database.close()
        #expect(integrity == ["ok"] && count == 0, "\(device)")
      }
    }

    /// Ann has the first release, as the server. Ben and Cid have the next ones, and wait.
    private func begin(_ fleet: ReleasedFleet) async throws {
      try fleet.start("ann", release: 1)
      try await fleet.tell("ann", "write INSERT INTO ports VALUES ('p')")
      try await fleet.tell(
        "ann", "write INSERT INTO berths VALUES ('a1', 'p', 'North', 2, 'lit', 7, 'o')")
      #expect(try await fleet.tell("ann", "send") == [])
      for (device, release, row) in [
        ("ben", 2, "a1 North 2 lit 7 - 3"), ("cid", 3, "a1 North 120 lit 7 - 5"),
      ] {
        try fleet.start(device, release: release)
        #expect(try await fleet.tell(device, "send") == [])
        #expect(try await fleet.tell(device, "show") == [row])
      }
      for statement in [
        "INSERT INTO berths VALUES ('b1', 'p', 'Bay', 1, 'dim', 2, 'red', 8)",
        "INSERT INTO buoys VALUES ('y1', 'p', 'Red')",
        "UPDATE berths SET label = 'N' WHERE id = 'a1'",
      ] { try await fleet.tell("ben", "write \(statement)") }
      for statement in [
        "INSERT INTO moorings VALUES ('c1', 'p', NULL, 90, 'out', 'large', NULL, 9)",
        "UPDATE moorings SET minutes = 180 WHERE id = 'a1'",
      ] { try await fleet.tell("cid", "write \(statement)") }
      for device in ["ben", "cid"] { #expect(try await fleet.tell(device, "send") == ["server"]) }
      try await fleet.restart("ben", release: 2)
      #expect(
        try await fleet.tell("ben", "show")
          == ["a1 N 2 lit 7 - 3", "b1 Bay 1 dim 2 red 8", "y1 Red"])
      try await fleet.tell("ann", "write UPDATE berths SET old = 'oo' WHERE id = 'a1'")
      #expect(try await fleet.tell("ann", "send") == [])
    }

    /// The server gets both next releases, and Ann still has the first.
    private func upgradeServer(_ fleet: ReleasedFleet) async throws {
      try await fleet.serve(2)
      #expect(try await fleet.tell("ben", "send") == [])
      #expect(try await fleet.tell("cid", "send") == ["server"])
      #expect(try await fleet.tell("ann", "send") == [])
      #expect(try await fleet.tell("ann", "show") == ["a1 N 2 lit 7 oo", "b1 Bay 1 lit 2 -"])
      try await fleet.tell("ann", "write UPDATE berths SET title = 'Bight' WHERE id = 'b1'")
      for device in ["ann", "ben"] { #expect(try await fleet.tell(device, "send") == []) }
      #expect(
        try await fleet.tell("ben", "show")
          == ["a1 N 2 lit 7 - 3", "b1 Bight 1 dim 2 red 8", "y1 Red"])

      try await fleet.serve(3)
      for device in ["cid", "ann", "ben"] { #expect(try await fleet.tell(device, "send") == []) }
      // Ann's and Ben's releases have no place for a berth without a title.
      #expect(try await fleet.tell("ann", "show") == ["a1 N 3 lit 7 oo", "b1 Bight 1 lit 2 -"])
      #expect(
        try await fleet.tell("ben", "show")
          == ["a1 N 3 lit 7 - 3", "b1 Bight 1 dim 2 red 8", "y1 Red"])
      try await fleet.tell("ann", "write UPDATE berths SET hours = 4 WHERE id = 'a1'")
      for device in ["ann", "cid"] { #expect(try await fleet.tell(device, "send") == []) }
      #expect(
        try await fleet.tell("cid", "show")
          == ["a1 N 240 lit 7 - 5", "b1 Bight 60 dim 2 red 8", "c1 - 90 out large - 9"])
    }

    /// Ann skips a release. Dan begins with the first.
    private func upgradeDevices(_ fleet: ReleasedFleet) async throws {
      try await fleet.tell("ann", "write UPDATE berths SET title = 'Nord' WHERE id = 'a1'")
      try await fleet.restart("ann", release: 3)
      try await fleet.tell("ben", "write UPDATE berths SET depth = 4 WHERE id = 'b1'")
      try await fleet.restart("ben", release: 3)
      for device in ["ann", "ben"] { #expect(try await fleet.tell(device, "send") == []) }
      try fleet.start("dan", release: 1)
      #expect(try await fleet.tell("dan", "send") == [])
      try await fleet.tell("dan", "write UPDATE berths SET hours = 2 WHERE id = 'b1'")
      for device in ["dan", "ann", "ben", "cid", "dan"] {
        #expect(try await fleet.tell(device, "send") == [])
      }
    }
  }
}
