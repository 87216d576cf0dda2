import OffshoreWire
import Testing

@testable import OffshoreSimulator

/// Tests of the model's handling of batches.
struct ModelServerTests {
  private static func batch(_ number: Int64, _ ops: [Op], in scope: String = "b1") throws -> Batch {
    Batch(
      try Samples.scope(scope), number: number, id: Samples.device(UInt8(number)).uuid, ops: ops)
  }

  private static let board = RowID(table: "boards", id: "b1")
  private static let note = RowID(table: "notes", id: "n1")

  /// Returns a model with a board, a card and a note about the card.
  private func furnished() throws -> ModelServer {
    var model = ModelServer(tolerance: 0)
    let batch = try Self.batch(
      1,
      [
        Op(.put, Self.board, fields: ["title": "a"], stamp: Samples.stamp(1)),
        Op(.put, Samples.card, fields: ["boardID": "b1"], stamp: Samples.stamp(2)),
        Op(
          .put, Self.note, fields: ["boardID": "b1", "cardID": "c1"], stamp: Samples.stamp(3)),
      ])
    #expect(model.apply(batch, of: Samples.device(1), at: 10) == [])
    return model
  }

  private func row(_ row: RowID, _ model: ModelServer, in scope: String = "b1") throws -> ModelRow?
  {
    model.scopes[try Samples.scope(scope)]?[row]
  }

  @Test func `A batch that is applied twice is detected`() throws {
    var model = try furnished()
    let op = Op(.patch, Samples.card, fields: ["title": "b"], stamp: Samples.stamp(5))
    let batch = try Self.batch(2, [op])
    #expect(model.apply(batch, of: Samples.device(1), at: 10) == [])
    #expect(model.apply(batch, of: Samples.device(1), at: 10).map(\.invariant) == [.effectOnce])
  }

  @Test func `An edit that is sent again under another number is detected`() throws {
    var model = try furnished()
    let op = Op(.increment, Samples.card, fields: ["votes": 1], stamp: Samples.stamp(5))
    #expect(model.apply(try Self.batch(2, [op]), of: Samples.device(1), at: 10) == [])
    let again = model.apply(try Self.batch(3, [op]), of: Samples.device(1), at: 10)
    #expect(again.map(\.invariant) == [.effectOnce])
  }

  @Test func `An edit of an unknown row is detected`() throws {
    var model = ModelServer(tolerance: 0)
    let op = Op(.patch, Samples.card, fields: ["title": "b"], stamp: Samples.stamp(5))
    let found = model.apply(try Self.batch(1, [op]), of: Samples.device(1), at: 10)
    #expect(found.map(\.invariant) == [.model])
  }

  @Test func `A moved row leaves a tombstone and arrives with its values`() throws {
    var model = try furnished()
    let op = Op(
      .move(to: try Samples.scope("b2")), Samples.card, fields: ["boardID": "b2"],
      stamp: Samples.stamp(5))
    #expect(model.apply(try Self.batch(2, [op]), of: Samples.device(1), at: 10) == [])
    #expect(try row(Samples.card, model)?.end == .moved)
    #expect(try row(Samples.card, model, in: "b2")?.fields["boardID"]?.value == "b2")
    // The note's reference to the card is cleared.
    #expect(try row(Self.note, model)?.fields["cardID"]?.value == .null)
  }

  @Test func `Rows with a required reference are deleted with the row`() throws {
    var model = try furnished()
    let op = Op(.delete, Self.board, stamp: Samples.stamp(5))
    #expect(model.apply(try Self.batch(2, [op]), of: Samples.device(1), at: 10) == [])
    #expect(try row(Samples.card, model)?.end == .deleted)
    #expect(try row(Self.note, model)?.end == .deleted)
  }

  @Test func `A stamp ahead of the server's clock is clamped`() throws {
    var model = try furnished()
    let op = Op(.patch, Samples.card, fields: ["title": "b"], stamp: Samples.stamp(5_000))
    #expect(model.apply(try Self.batch(2, [op]), of: Samples.device(1), at: 10) == [])
    let version = try #require(try row(Samples.card, model)?.fields["title"]?.version)
    #expect(version < ModelStamp(Samples.stamp(11)))
  }

  @Test func `The model removes the tombstones that the server has removed`() throws {
    var model = try furnished()
    model.forget([Samples.card], in: try Samples.scope())
    #expect(try row(Samples.card, model) == nil)
    #expect(try row(Self.note, model) != nil)
  }
}
