/// The dependencies of code: the clock, ids, repositories, and those that an app adds by its own
/// keys.
///
/// ```swift
/// let now = DependencyValues.current.date()
///
/// withDependencies {
///   $0.date = { Date(timeIntervalSince1970: 0) }
/// } operation: {
///   DependencyValues.current.date()  // 1970
/// }
/// ```
///
/// The values belong to a task. Values set by ``withDependencies(_:operation:)`` apply inside it
/// and in the tasks created there, but not in detached tasks. Two tests that run at the same time
/// do not see each other's values. An object that outlives the call captures them by
/// ``Dependency``.
public struct DependencyValues: Sendable {
  /// The kind of process, which determines the values that are not set.
  public enum Context: Sendable {
    /// The running app.
    case live
    /// A preview of screens.
    case preview
    /// A test.
    case test
  }

  /// The values of the current task.
  @TaskLocal public static var current = DependencyValues()

  private var values: [ObjectIdentifier: any Sendable] = [:]
  private var chosenContext: Context?
  private var chosenReport: (@Sendable (_ name: String) -> Void)?

  /// Creates values for the running app, none of them set.
  public init() {}

  /// The kind of process; ``Context/live`` by default.
  public var context: Context {
    get { chosenContext ?? .live }
    set { chosenContext = newValue }
  }

  /// Called with the name of a dependency that a test uses without having set it.
  ///
  /// If it returns, the test continues with the preview value. By default it traps, because a test
  /// that uses a live value unnoticed writes to the real disk and calls the real server.
  public var reportUnset: @Sendable (_ name: String) -> Void {
    get { chosenReport ?? Self.trap }
    set { chosenReport = newValue }
  }

  /// The value for a key: the one that was set, or the key's own value for the context.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // NB: A cast of a missing value to an optional type succeeds, so absence is checked first.
      guard let value = values[ObjectIdentifier(key)], let value = value as? Key.Value else {
        return unset(key)
      }
      return value
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  private func unset<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
    switch context {
    case .live: return key.liveValue
    case .preview: return key.previewValue
    case .test:
      if let value = key.testValue { return value }
      reportUnset(key.name)
      return key.previewValue
    }
  }

  private static func trap(_ name: String) {
    preconditionFailure(
      "The dependency “\(name)” was used in a test that does not set it. "
        + "Set it by `withDependencies { $0.\(name) = … }`.")
  }

  /// Returns these values, overridden by those that are set in others.
  func overridden(by others: DependencyValues) -> DependencyValues {
    var result = self
    result.values.merge(others.values) { $1 }
    result.chosenContext = others.chosenContext ?? chosenContext
    result.chosenReport = others.chosenReport ?? chosenReport
    return result
  }
}

/// Runs an operation with changed dependencies, and returns its result.
///
/// - Parameters:
///   - change: changes the current values.
///   - operation: runs with the changed values, as do the tasks that it creates.
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs an asynchronous operation with changed dependencies, and returns its result.
///
/// The operation runs on the caller's actor.
///
/// - Parameters:
///   - change: changes the current values.
///   - operation: runs with the changed values, as do the tasks that it creates.
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try await DependencyValues.$current.withValue(
    values, operation: operation, isolation: isolation)
}
