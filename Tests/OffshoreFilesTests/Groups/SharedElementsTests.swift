import Foundation
import Testing

@testable import OffshoreFiles

/// Replacements of shared elements that are restored.
struct SharedElementsTests {
  private let elements: SharedElements<Boat>
  private let log: Shared<[FleetChange]>

  init() {
    elements = SharedElements(.memory("boats-\(UUID())"))
    log = Shared(.memory("changes-\(UUID())"), default: [])
  }

  private var boats: [Boat] { elements.current.value }

  private func change(_ number: UInt8) -> FleetChange {
    FleetChange(id: UUID(number), moment: .distantPast, edits: [])
  }

  @Test func `The former elements are restored in their order`() {
    elements.current.change { $0 = [Boat(3), Boat(1), Boat(2)] }
    let restore = elements.replaceAll(by: [Boat(2), Boat(1, "Alma"), Boat(5)])
    #expect(boats == [Boat(2), Boat(1, "Alma"), Boat(5)])
    restore()
    #expect(boats == [Boat(3), Boat(1), Boat(2)])
  }

  @Test func `Elements that have changed since stay`() {
    elements.current.change { $0 = [Boat(1), Boat(2)] }
    let restore = elements.replaceAll(by: [Boat(1, "Alma"), Boat(5)])
    elements.current.change { boats in
      boats[0].name = "Bura"
      boats.append(Boat(7))
    }
    restore()
    #expect(Set(boats) == [Boat(1, "Bura"), Boat(2), Boat(7)])
  }

  @Test func `Later changes of a log stay`() {
    log.change { $0 = [self.change(1), self.change(2)] }
    let restore = log.replaceLog(by: [change(2), change(3)])
    log.change { $0.append(self.change(4)) }
    restore()
    #expect(log.value.map(\.id) == [1, 2, 4].map { UUID($0) })
  }
}
