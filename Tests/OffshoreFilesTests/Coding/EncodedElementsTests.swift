import Foundation
import TestSupport
import Testing

@testable import OffshoreFiles

/// The JSON of lists that keep that of their unchanged elements.
struct EncodedElementsTests {
  private struct Entry: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var text = ""
    var numbers: [Int] = []
    var date = Date(timeIntervalSinceReferenceDate: 0)
  }

  private func format(
    _ precision: JSONConfiguration.DatePrecision = .full
  ) -> DocumentFormat<ElementList<Entry>> {
    DocumentFormat(configuration: JSONConfiguration(datePrecision: precision), upgrades: [])
  }

  /// Encodes a list as one that keeps nothing.
  private func wholeBytes(
    _ list: ElementList<Entry>, _ format: DocumentFormat<ElementList<Entry>>
  ) throws -> Data {
    var list = try ElementList(Array(list))
    return try format.encode(&list).bytes
  }

  @Test func `A list after random changes has the JSON of a new one`() throws {
    for seed in 0..<UInt64(Rounds.count(ofSoak: 2_000, else: 50)) {
      var random = SeededRandom(seed: seed)
      var list = try ElementList((0..<8).map { Entry(id: $0, text: "] \($0), [\"\n") })
      for round in 0..<12 {
        let id = random.number(below: 16)
        switch random.number(below: 4) {
        case 0: list.remove(id)
        case 1: list.upsert(Entry(id: id, numbers: [round]), at: random.number(below: 10))
        default: list.upsert(Entry(id: id, text: "\(round)", numbers: [1, 2]))
        }
        if random.number(below: 3) > 0 {
          #expect(try format().encode(&list).bytes == wholeBytes(list, format()), "seed \(seed)")
        }
      }
    }
  }

  @Test func `A changed element is encoded alone`() throws {
    var list = try ElementList((0..<8).map { Entry(id: $0) })
    _ = try format().encode(&list)
    #expect(list.encoded?.places.contains(nil) == false)
    list.upsert(Entry(id: 3, text: "changed"))
    #expect(list.encoded?.places.map { $0 == nil } == (0..<8).map { $0 == 3 })
    #expect(try format().encode(&list).bytes == wholeBytes(list, format()))
  }

  @Test func `A list is encoded as a whole in another precision, and if it is rounded`() throws {
    var list = try ElementList((0..<8).map { Entry(id: $0) })
    _ = try format().encode(&list)
    #expect(try format(.seconds).encode(&list).bytes == wholeBytes(list, format(.seconds)))
    list.upsert(Entry(id: 3, date: Date(timeIntervalSinceReferenceDate: 1.5)))
    let encoded = try format(.seconds).encode(&list)
    #expect(!encoded.isExact && list.encoded == nil)
    #expect(try encoded.bytes == wholeBytes(list, format(.seconds)))
  }
}
