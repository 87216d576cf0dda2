import TestSupport
import Testing

@testable import OffshoreSimulator

struct SeededRandomTests {
  @Test func `The numbers are those of SplitMix64`() {
    var random = SeededRandom(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    // The first numbers of https://prng.di.unimi.it/splitmix64.c with that state.
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `The draws cover a whole range, and nothing beyond it`() {
    var random = SeededRandom(seed: 1)
    let numbers = Set((0..<200).map { _ in random.number(in: 3...6) })
    #expect(numbers == [3, 4, 5, 6])
  }

  @Test func `An element without weight is never drawn, and a heavier one is drawn more often`() {
    var random = SeededRandom(seed: 2)
    var counts: [String: Int] = [:]
    for _ in 0..<1_000 {
      guard let name = random.pick([("a", 0), ("b", 1), ("c", 9)]) else { continue }
      counts[name, default: 0] += 1
    }
    #expect(counts["a"] == nil)
    #expect(counts["b"].map { 50...150 ~= $0 } == true)
    #expect(counts["c"].map { 850...950 ~= $0 } == true)
    #expect(random.pick([("a", 0)]) == nil)
  }

  @Test func `A shuffled list has the same elements`() {
    var random = SeededRandom(seed: 3)
    let list = random.shuffled(Array(0..<20))
    #expect(list != Array(0..<20))
    #expect(list.sorted() == Array(0..<20))
  }

  @Test func `Device ids differ`() {
    var random = SeededRandom(seed: 4)
    #expect(Set((0..<100).map { _ in random.deviceID() }).count == 100)
  }
}
