import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// The transfer of values to a real server and back, as single rows.
@Suite(.timeLimit(.minutes(1)))
struct RowValueTests {
  @Test func `Values of each kind arrive bit for bit, and are those that a device sends`()
    async throws
  {
    let schema = try Specimen.schema()
    let harbour = try RowHarbour(schema)
    let (anna, ben) = (
      try await harbour.client(.owner, schema), try await harbour.client(.editor, schema)
    )
    let device = try TestDevice(schema, creating: [Specimen.creation])
    for specimen in try Specimen.all() {
      let stored = try await anna.insert(specimen)
      #expect(stored.value == specimen)
      #expect(try await ben.row(Specimen.self, specimen.id, in: harbour.scope) == stored)
      try device.connection.write { try specimen.insert($0) }
      let op = try #require(try device.seal().op)
      #expect(try await harbour.fields("specimens", op.row.id) == op.fields)
    }
    let page = try await ben.page(of: Specimen.self, in: harbour.scope)
    #expect(Set(page.rows.map(\.value.id)).count == 3)
    await harbour.server.stop()
  }

  @Test func `Each value can become each other one, by a change or a replacement`() async throws {
    let schema = try Specimen.schema()
    let harbour = try RowHarbour(schema)
    let anna = try await harbour.client(.owner, schema)
    let all = try Specimen.all()
    var current = try await anna.insert(all[0])
    for (number, next) in [all[1], all[2], all[0], all[2], all[1], all[0]].enumerated() {
      var new = next
      new.id = all[0].id
      let tag = current.entityTag
      if number < 3 {
        current = try await anna.update(current.value, to: new, ifMatch: tag)
      } else {
        current = try await anna.put(new, ifMatch: tag)
      }
      #expect(current.value == new)
    }
    await harbour.server.stop()
  }

  // MARK: - Releases

  @Test func `Clients of two releases read and write renamed columns, whichever the server has`()
    async throws
  {
    let (first, moored) = (try Release.first().schema, try Release.moored().schema)
    for schema in [first, moored] {
      let harbour = try RowHarbour(schema)
      let anna = try await harbour.client(.owner, moored)
      let ben = try await harbour.client(.editor, first)
      let mooring = Mooring(id: "b1", charterID: "c1", title: "North", hours: 1.5)
      #expect(try await anna.insert(mooring).value.title == "North")
      let berths = try await ben.page(of: FirstBerth.self).rows.map(\.value)
      #expect(berths.map(\.name) == ["North"])
      var south = berths[0]
      south.name = "South"
      #expect(try await ben.update(berths[0], to: south).value.name == "South")
      let moorings = try await anna.page(of: Mooring.self).rows.map(\.value)
      #expect(moorings.map(\.title) == ["South"] && moorings.map(\.hours) == [1.5])
      await harbour.server.stop()
    }
  }

  @Test func `A client of a former release retains columns that it does not know`() async throws {
    let (first, second) = (try Release.first().schema, try Release.second().schema)
    let harbour = try RowHarbour(second)
    let (anna, ben) = (
      try await harbour.client(.owner, second), try await harbour.client(.editor, first)
    )
    let berth = FirstBerth(id: "b1", charterID: "c1", name: "North", hours: nil)
    try await ben.insert(berth)
    let fields = try await harbour.fields("berths", "b1")
    #expect(fields == ["charterID": "c1", "name": "North", "hours": .null])
    let found = try #require(try await anna.page(of: SecondBerth.self).rows.first?.value)
    #expect(found.depth == 3 && found.note == nil)
    var deep = found
    (deep.depth, deep.note, deep.items) = (7, "rocks", #"{"a":1}"#)
    try await anna.update(found, to: deep)
    var south = berth
    south.name = "South"
    #expect(try await ben.put(south).value.name == "South")
    let last = try #require(try await anna.page(of: SecondBerth.self).rows.first?.value)
    #expect(last.name == "South" && last.depth == 7 && last.note == "rocks")
    #expect(last.items == #"{"a":1}"#)
    await harbour.server.stop()
  }

  @Test func `A former server shows defaults, and refuses columns that it does not know`()
    async throws
  {
    let (first, second) = (try Release.first().schema, try Release.second().schema)
    let harbour = try RowHarbour(first)
    let (anna, ben) = (
      try await harbour.client(.owner, second), try await harbour.client(.editor, first)
    )
    try await ben.insert(FirstBerth(id: "b1", charterID: "c1", name: "North", hours: nil))
    let found = try #require(try await anna.page(of: SecondBerth.self).rows.first?.value)
    #expect(found.name == "North" && found.depth == 3 && found.note == nil)
    #expect(await failureCode { try await anna.put(found) } == .unknownColumn)
    var south = found
    south.name = "South"
    #expect(try await anna.update(found, to: south).value.name == "South")
    await harbour.server.stop()
  }

  @Test func `A derived column shows the value that was written later`() async throws {
    let (first, timed) = (try Release.first().schema, try Release.timed().schema)
    let harbour = try RowHarbour(timed)
    let (anna, ben) = (
      try await harbour.client(.owner, timed), try await harbour.client(.editor, first)
    )
    func minutes() async throws -> Int? {
      try await anna.page(of: TimedBerth.self).rows.first?.value.minutes
    }
    func hours() async throws -> Double? {
      try await ben.page(of: FirstBerth.self).rows.first?.value.hours
    }
    // NB: Ben makes more changes than Anna. So his count as later even within a millisecond.
    let berth = FirstBerth(id: "b1", charterID: "c1", name: "North", hours: 1)
    var longer = berth
    longer.hours = 1.5
    try await ben.insert(berth)
    try await ben.update(berth, to: longer)
    #expect(try await minutes() == 90)
    let found = try #require(try await anna.page(of: TimedBerth.self).rows.first?.value)
    var short = found
    short.minutes = 30
    #expect(try await anna.update(found, to: short).value.minutes == 30)
    #expect(try await hours() == 0.5)
    try await ben.update(berth, to: longer)
    #expect(try await minutes() == 90)
    await harbour.server.stop()
  }
}
