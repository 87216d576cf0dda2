import Foundation
import OffshoreFiles
import Testing

/// The signals of groups of all kinds to their observers.
@Suite(.timeLimit(.minutes(1)))
struct GroupSignalTests {
  private static let engines = FleetEngine.allCases
  /// The kinds whose own changes are signalled before they return.
  private static let promptEngines: [FleetEngine] = [.files, .memory]

  /// Returns whether a change is signalled before it returns.
  private func isSignalled(
    _ signals: StoredValues<Void>, by change: @escaping @Sendable () async throws -> Void
  ) async throws -> Bool {
    try await Task {
      var iterator = signals.makeAsyncIterator()
      _ = try await iterator.next()
      try await change()
      // A canceled task receives the signals that have arrived, and waits for no other.
      withUnsafeCurrentTask { $0?.cancel() }
      return try await iterator.next() != nil
    }.value
  }

  // MARK: - Changes

  @Test(arguments: engines)
  func `Each change of a type is signalled to all observers`(_ engine: FleetEngine) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    var own = group.signals(of: Port.self).makeAsyncIterator()
    var other = place.open().signals(of: Port.self).makeAsyncIterator()
    _ = try await (own.next(), other.next())
    for number in UInt8(1)...5 {
      try await group.perform(.save(Port(number)))
      _ = try await own.next()
      _ = try await other.next()
      #expect(try await place.open().load(Port.self).count == Int(number))
    }
  }

  @Test(arguments: engines)
  func `Each change of the log is signalled, whatever its elements`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    var changes = group.changeSignals().makeAsyncIterator()
    _ = try await changes.next()
    for (count, edit): (Int, FleetEdit) in [
      (1, .boat(nil, Boat(1))), (2, .port(nil, Port(9))), (3, .boat(Boat(1), nil)),
    ] {
      try await group.apply(edit)
      _ = try await changes.next()
      #expect(try await group.loadChanges().count == count)
    }
  }

  @Test(arguments: engines)
  func `The replacement of everything is signalled`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    try await group.perform(.save(Boat(1)))
    var boats = group.signals(of: Boat.self).makeAsyncIterator()
    var changes = group.changeSignals().makeAsyncIterator()
    _ = try await (boats.next(), changes.next())
    try await group.replaceAll(GroupContent())
    while !(try await group.load(Boat.self).isEmpty) { _ = try await boats.next() }
    while !(try await group.loadChanges().isEmpty) { _ = try await changes.next() }
  }

  @Test(arguments: engines)
  func `A late observer receives a signal at once`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    try await group.perform(.save(Boat(1)))
    var boats = group.signals(of: Boat.self).makeAsyncIterator()
    var changes = group.changeSignals().makeAsyncIterator()
    #expect(try await boats.next() != nil)
    #expect(try await changes.next() != nil)
  }

  // MARK: - No signals

  @Test(arguments: promptEngines)
  func `A change is signalled, and an unchanged value is not`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    let boats = { group.signals(of: Boat.self) }
    #expect(try await isSignalled(boats()) { try await group.perform(.save(Boat(1))) })
    #expect(try await !isSignalled(boats()) { try await group.perform(.save(Boat(1))) })
    #expect(try await !isSignalled(boats()) { try await group.replaceLoaded([Boat(1)]) })
    #expect(
      try await !isSignalled(boats()) { try await group.perform(.delete(UUID(7), Boat.self)) })
    #expect(
      try await !isSignalled(group.changeSignals()) { try await group.perform(.save(Boat(1))) })
    #expect(try await isSignalled(boats()) { try await group.replaceLoaded([Boat(2)]) })
  }

  @Test(arguments: promptEngines)
  func `A change of another type is not signalled`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    let change: @Sendable () async throws -> Void = { try await group.replaceLoaded([Port(9)]) }
    #expect(try await !isSignalled(group.signals(of: Boat.self), by: change))
    try await group.replaceAll(GroupContent())
    #expect(try await isSignalled(group.signals(of: Port.self), by: change))
    try await group.replaceAll(GroupContent())
    #expect(try await isSignalled(group.changeSignals(), by: change))
  }

  @Test(arguments: promptEngines)
  func `A refused change is not signalled`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    try await group.perform(.save(Boat(1)))
    let change: @Sendable () async throws -> Void = {
      await #expect(throws: RefusedEdits<FleetEdit>.self) {
        try await group.apply(.boat(Boat(1), Boat(1, "Alma")), .port(Port(9), nil))
      }
    }
    #expect(try await !isSignalled(group.signals(of: Boat.self), by: change))
    #expect(try await !isSignalled(group.changeSignals(), by: change))
  }

  @Test(arguments: engines)
  func `The signals of a type that the group does not have fail`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    let error = await #expect(throws: FileError.self) {
      for try await _ in group.signals(of: Buoy.self) { break }
    }
    #expect(error?.code == .misuse)
  }
}
