import Foundation
import OffshoreFiles
import Testing

/// Groups in memory, which tests and previews use in place of the others.
@Suite(.timeLimit(.minutes(1)))
struct MemoryGroupTests {
  private func stamp(_ seconds: Double) -> ChangeStamp {
    ChangeStamp(now: { Date(timeIntervalSinceReferenceDate: seconds) }, makeID: { UUID(77) })
  }

  @Test func `It begins with the content of its creation`() throws {
    var content = GroupContent<FleetChange>()
    try content.replace(by: [Boat(2), Boat(1)])
    let group = MemoryGroup(content)
    #expect(try group.load(Boat.self) == [Boat(2), Boat(1)])
    #expect(try group.load(Port.self) == [])
    #expect(group.loadChanges().map(\.edits.count) == [2])
    #expect(group.content() == content)
  }

  @Test func `Its content is a copy`() throws {
    let group = MemoryGroup<FleetChange>()
    try group.perform(.save(Boat(1)))
    var content = group.content()
    try content.perform(.save(Boat(2)))
    #expect(try group.load(Boat.self) == [Boat(1)])
    try group.perform(.save(Boat(3)))
    #expect(Array(content[Boat.self]) == [Boat(1), Boat(2)])
  }

  @Test func `Changes have the ids and the times of the stamp, in whole seconds`() throws {
    let group = MemoryGroup<FleetChange>(stamp: stamp(12.75))
    try group.perform(.save(Boat(1)))
    #expect(
      group.loadChanges() == [
        FleetChange(
          id: UUID(77), moment: Date(timeIntervalSinceReferenceDate: 12),
          edits: [.boat(nil, Boat(1), at: 0)])
      ])
    let early = MemoryGroup<FleetChange>(stamp: stamp(-0.5))
    try early.replaceLoaded([Boat(1)])
    #expect(early.loadChanges().map(\.moment.timeIntervalSinceReferenceDate) == [-1])
  }

  @Test func `Changes without a stamp have different ids and the current time`() throws {
    let start = Date().timeIntervalSinceReferenceDate.rounded(.down)
    let group = MemoryGroup<FleetChange>()
    try group.perform(.save(Boat(1)))
    try group.perform(.save(Boat(2)))
    let changes = group.loadChanges()
    #expect(Set(changes.map(\.id)).count == 2)
    #expect(changes.allSatisfy { $0.moment.timeIntervalSinceReferenceDate >= start })
    #expect(changes.allSatisfy { $0.moment <= Date() })
  }

  @Test func `A refused change leaves all elements as they were`() throws {
    let group = MemoryGroup<FleetChange>()
    try group.replaceLoaded([Boat(1)])
    let before = group.content()
    #expect(throws: RefusedEdits<FleetEdit>.self) {
      try group.perform(.apply([.boat(Boat(1), nil), .boat(Boat(2), nil)]))
    }
    #expect(throws: FileError.self) { try group.replaceLoaded([Port(9), Port(9)]) }
    #expect(group.content() == before)
  }

  @Test func `A replacement of everything is not logged`() throws {
    let group = MemoryGroup<FleetChange>()
    try group.perform(.save(Port(9)))
    var content = GroupContent<FleetChange>()
    content[Boat.self] = try ElementList([Boat(1)])
    group.replaceAll(content)
    #expect(try group.load(Boat.self) == [Boat(1)])
    #expect(try group.load(Port.self) == [])
    #expect(group.loadChanges() == [])
  }

  @Test func `An observer does not keep the group alive`() async throws {
    weak var released: MemoryGroup<FleetChange>?
    let signals: StoredValues<Void>
    do {
      let group = MemoryGroup<FleetChange>()
      released = group
      signals = group.signals(of: Boat.self)
      #expect(released != nil)
    }
    #expect(released == nil)
    var iterator = signals.makeAsyncIterator()
    #expect(try await iterator.next() != nil)
  }

  @Test func `A slow observer receives one signal for several changes`() async throws {
    let group = MemoryGroup<FleetChange>()
    let signals = group.signals(of: Boat.self)
    for number in UInt8(0)..<9 { try group.perform(.save(Boat(number))) }
    let count = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var count = 0
      for try await _ in signals { count += 1 }
      return count
    }.value
    #expect(count == 1)
  }
}
