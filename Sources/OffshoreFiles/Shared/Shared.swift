public import Observation
import Synchronization

/// A reference to a stored value that several holders share and observe.
///
/// ```swift
/// let charters = Shared<[Charter]>(.file(path), default: [])
/// try await charters.load()
/// charters.change { $0.append(charter) }  // every holder sees it at once
/// try await charters.flush()  // before the process ends
/// ```
///
/// All objects of a process that are created with one location and type have one value. A change is
/// visible at once, and is stored after a pause in which further changes are collected. The values of
/// files in one folder are stored together: the first pause to end stores the changes of all of them.
///
/// A change is a closure, which is applied to the stored value again if another process has changed
/// that meanwhile. So the changes of both stay. A value that was not loaded yet is the default with
/// the changes so far; they are applied to the stored value, too.
public final class Shared<Value: Sendable>: Observable, Sendable {
  private let box: SharedBox<Value>
  /// The value that this object has loaded last.
  private let loaded = Mutex<Value?>(nil)

  /// Creates a reference to the value at a location. Nothing is read or created yet.
  /// - Parameters:
  ///   - defaultValue: The value while nothing is stored. The first object of a location determines it.
  ///   - throttle: The longest time between a change and its storing. The first object of a location
  ///     determines it.
  public convenience init(
    _ location: SharedLocation<Value>, default defaultValue: Value,
    throttle: Duration = .milliseconds(500)
  ) {
    self.init(location, default: defaultValue) { try await Task.sleep(for: throttle) }
  }

  /// - Parameter pause: Waits for the time in which changes are collected.
  package init(
    _ location: SharedLocation<Value>, default defaultValue: Value,
    pause: @escaping @Sendable () async throws -> Void
  ) {
    box = SharedPlaces.box(location, defaultValue, pause)
  }

  /// The value with all changes. Its reads and changes are registered for observation.
  public var value: Value { box.value }

  /// The error of the last storing, if it has failed. Its changes are stored with the next one.
  public var saveError: (any Error)? { box.saveError }

  /// Loads the stored value, and follows its changes by other processes from then on.
  /// - Returns: The value with all changes.
  /// - Throws: The error of the location, such as ``FileError`` as ``JSONDocument/load()`` does.
  @discardableResult
  public func load() async throws -> Value {
    let value = try await box.load()
    loaded.withLock { $0 = value }
    return value
  }

  /// Changes the value.
  /// - Parameter change: Changes a value. It may be called several times, with values that other
  ///   processes have stored. Its result must depend on the value only, and it must not use this
  ///   object.
  public func change(_ change: @escaping @Sendable (inout Value) -> Void) { box.change(change) }

  /// Stores all changes, and those of other values in the same folder.
  /// - Throws: The error of the location, such as ``FileError`` as ``JSONDocument/save(_:)`` does. The
  ///   changes are stored with the next ones then.
  public func flush() async throws { try await box.saver.flush() }
}

extension Shared {
  /// Reads or changes the value that this object has loaded last; `nil` if it has loaded none.
  func withLoaded<Result: Sendable>(_ body: (inout Value?) -> Result) -> Result {
    loaded.withLock { body(&$0) }
  }

  /// Replaces the elements, except those that another process has added since this object was last
  /// loaded; see ``ElementStore/replaceLoaded(_:)``.
  /// - Throws: ``FileError`` with the code `duplicateID` if two elements have the same id.
  public func replaceLoaded<Element>(_ elements: [Element]) throws
  where
    Value == [Element], Element: Identifiable & Sendable, Element.ID: Sendable
  {
    let new = try ElementList(elements)
    let known = loaded.withLock { loaded in
      var known = KnownElements<Element.ID>()
      if let former = loaded.flatMap({ try? ElementList($0) }) { known.replace(by: former) }
      loaded = elements
      return known
    }
    change { stored in
      guard let former = try? ElementList(stored) else {
        stored = elements
        return
      }
      stored = Array(known.merging(new, into: former))
    }
  }
}

/// Changes of several shared values that belong together.
public enum SharedChanges {
  /// Makes changes of several ``Shared`` values that are stored together.
  ///
  /// ```swift
  /// SharedChanges.together {
  ///   charters.change { $0.append(charter) }
  ///   history.change { $0.append(entry) }
  /// }
  /// ```
  ///
  /// If the values are files in one folder, they are stored by one change of the folder: all or none,
  /// whenever the process ends.
  public static func together(_ changes: () throws -> Void) rethrows {
    try SharedPlaces.locked(changes)
  }
}
