import Offshore
import OffshorePresentation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RunningSequenceTests {
  private struct Broken: Error {}

  @Test func `The elements after the first are delivered`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 1...3 { continuation.yield(number) }
    continuation.finish()
    var rest = await stream.running().makeAsyncIterator()
    #expect(await rest.next(isolation: nil) == 2)
    #expect(await rest.next(isolation: nil) == 3)
    #expect(await rest.next(isolation: nil) == nil)
  }

  @Test func `A sequence that ends or fails at once has no further elements`() async throws {
    var none = await AsyncStream<Int> { $0.finish() }.running().makeAsyncIterator()
    #expect(await none.next(isolation: nil) == nil)
    let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Broken()) }
    var rest = await failing.running().makeAsyncIterator()
    #expect(try await rest.next(isolation: nil) == nil)
  }

  @Test func `The sequence of a database delivers later changes after it has begun`()
    async throws
  {
    let database = try Database.temporary()
    _ = try await database.write { try SQL("CREATE TABLE ports (id)").run($0) }
    let counts = database.values { try SQL("SELECT count(*) FROM ports").first($0, as: Int.self) }
    var changes = await counts.running().makeAsyncIterator()
    _ = try await database.write { try SQL("INSERT INTO ports VALUES (1)").run($0) }
    #expect(try await changes.next(isolation: nil) == 1)
  }
}
