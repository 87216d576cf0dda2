/// What code depends on: the clock, ids, repositories, and whatever an app adds by keys of its own.
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
/// They belong to a task: what ``withDependencies(_:operation:)`` sets holds inside it and in the
/// tasks made there, but not in detached ones, and two tests at the same time do not see each
/// other's. An object that outlives its scope takes them along by ``Dependency``.
public struct DependencyValues: Sendable {
  /// What the process is doing, which decides about values that nobody set.
  public enum Context: Sendable {
    /// The app runs.
    case live
    /// Somebody looks at screens.
    case preview
    /// A test runs.
    case test
  }

  /// The values of the current task.
  @TaskLocal public static var current = DependencyValues()

  private var values: [ObjectIdentifier: any Sendable] = [:]
  private var chosenContext: Context?
  private var chosenReport: (@Sendable (_ name: String) -> Void)?

  /// Begins with nothing set, for the running app.
  public init() {}

  /// What the process is doing; running the app unless set.
  public var context: Context {
    get { chosenContext ?? .live }
    set { chosenContext = newValue }
  }

  /// Called with the name of a dependency that a test uses without having set it.
  ///
  /// Where it returns, the test goes on with the value for previews. Unless set, it traps: a test
  /// that quietly uses the live value writes to the real disk and asks the real server.
  public var reportUnset: @Sendable (_ name: String) -> Void {
    get { chosenReport ?? Self.trap }
    set { chosenReport = newValue }
  }

  /// The value for a key: the one that was set, or the key's own for the context.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // NB: A cast of a missing value to an optional type succeeds, so that is asked before.
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

  /// These values with those that were set in others, which go first.
  func overridden(by others: DependencyValues) -> DependencyValues {
    var result = self
    result.values.merge(others.values) { $1 }
    result.chosenContext = others.chosenContext ?? chosenContext
    result.chosenReport = others.chosenReport ?? chosenReport
    return result
  }
}

/// Runs an operation with dependencies changed, and returns what it returns.
///
/// - Parameters:
///   - change: changes the current values.
///   - operation: sees them, as do the tasks that it makes.
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs an operation that waits with dependencies changed, and returns what it returns.
///
/// It runs where its caller does.
///
/// - Parameters:
///   - change: changes the current values.
///   - operation: sees them, as do the tasks that it makes.
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try await DependencyValues.$current.withValue(
    values, operation: operation, isolation: isolation)
}
