import Foundation
import OffshorePresentationTesting
import Testing

struct NumberedIDsTests {
  @Test func `An id has its number as its last digits`() {
    #expect(UUID(number: 1).uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(UUID(number: 0xAB_CD12).uuidString == "00000000-0000-0000-0000-000000ABCD12")
    #expect(UUID(number: .max).uuidString == "00000000-0000-0000-7FFF-FFFFFFFFFFFF")
  }

  @Test func `The numbers begin with 1, and no number is repeated`() async {
    let next = UUID.numbered()
    #expect(next() == UUID(number: 1))
    let ids = await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { next() } }
      return await group.reduce(into: Set<UUID>()) { $0.insert($1) }
    }
    #expect(ids == Set((2...101).map { UUID(number: $0) }))
  }

  @Test func `Each function counts on its own`() {
    #expect(UUID.numbered()() == UUID.numbered()())
  }
}
