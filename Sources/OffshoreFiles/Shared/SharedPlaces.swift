import Foundation
import Synchronization

/// The place at which a shared value is stored.
protocol SharedPlace<Value>: Sendable {
  associatedtype Value: Sendable

  /// Calls a closure with the stored value, and with each later one. Returns after the first call.
  /// - Returns: An object that ends the observation when it is released.
  func observe(
    _ receive: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) async -> any Sendable

  /// Delivers the stored value if it has changed and is not delivered yet.
  func check() async

  /// Applies changes to the stored value, in an update of the folder if the place is a document.
  /// - Returns: The new value.
  func store(_ changes: [@Sendable (inout Value) -> Void], in update: FolderUpdate) throws -> Value

  /// Applies changes to the stored value, if the place is not a document.
  /// - Returns: The new value.
  func store(_ changes: [@Sendable (inout Value) -> Void]) async throws -> Value
}

extension SharedPlace {
  func store(
    _ changes: [@Sendable (inout Value) -> Void], in update: FolderUpdate
  ) throws -> Value {
    throw FileError(.misuse, "This place of a shared value is not a document of a folder.")
  }

  func store(_ changes: [@Sendable (inout Value) -> Void]) async throws -> Value {
    throw FileError(.misuse, "A document is stored by its folder.")
  }
}

/// The shared values of this process, and their savers.
enum SharedPlaces {
  /// A lock that a group of changes holds, and that each change of the group acquires again.
  private static let lock = NSRecursiveLock()

  /// Runs a closure while no change is made elsewhere, and no changes are collected to be stored.
  static func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock(body)
  }

  private struct Key: Hashable {
    let place: String
    let type: ObjectIdentifier
  }

  private struct Weak<Object: AnyObject> {
    weak var object: Object?
  }

  private struct State {
    var boxes: [Key: Weak<AnyObject>] = [:]
    var savers: [String: Weak<SharedSaver>] = [:]
  }

  private static let state = Mutex(State())

  /// Returns the box of a location, which is created if it does not exist.
  static func box<Value>(
    _ location: SharedLocation<Value>, _ defaultValue: Value,
    _ pause: @escaping @Sendable () async throws -> Void
  ) -> SharedBox<Value> {
    let key = Key(place: location.key, type: ObjectIdentifier(Value.self))
    return state.withLock { state in
      state.boxes = state.boxes.filter { $0.value.object != nil }
      state.savers = state.savers.filter { $0.value.object != nil }
      if let box = state.boxes[key]?.object as? SharedBox<Value> { return box }
      let saver = state.savers[location.group]?.object ?? SharedSaver(location.makeFolder())
      state.savers[location.group] = Weak(object: saver)
      let place = location.makePlace(defaultValue, saver.folder)
      let box = SharedBox(place, defaultValue, saver, pause)
      state.boxes[key] = Weak(object: box)
      return box
    }
  }
}
