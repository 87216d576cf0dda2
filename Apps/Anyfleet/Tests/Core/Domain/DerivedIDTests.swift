import Foundation
import OffshoreSync
import Testing

@testable import Anyfleet

struct DerivedIDTests {
  @Test func `All devices derive the same id for the state of a checklist in a charter`() throws {
    let charter = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let checklist = try #require(UUID(uuidString: "6BA7B811-9DAD-11D1-80B4-00C04FD430C8"))
    let id = ChecklistExecutionState.id(charterID: charter, checklistID: checklist)
    #expect(id == UUID(name: checklist.uuidString, in: charter))
    #expect(id != ChecklistExecutionState.id(charterID: checklist, checklistID: charter))
  }
}
