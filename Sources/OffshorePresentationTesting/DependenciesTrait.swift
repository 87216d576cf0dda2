public import OffshorePresentation
public import Testing

/// A trait that runs a test, or the tests of a suite, with dependencies of their own.
///
/// ```swift
/// @Test(.dependencies { $0.date = { Date(timeIntervalSince1970: 0) } })
/// func `A charter of 1971 is not past`() { … }
/// ```
///
/// In the context `test`, a dependency without a value is recorded as an issue.
public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
  fileprivate let change: @Sendable (inout DependencyValues) -> Void

  public var isRecursive: Bool { true }

  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withDependencies {
      $0.recordUnset(by: IssueRecorder(test.sourceLocation))
      change(&$0)
    } operation: {
      try await function()
    }
  }
}

extension Trait where Self == DependenciesTrait {
  /// Sets dependencies of a test. All others have no values.
  public static func dependencies(
    _ change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) -> Self {
    DependenciesTrait(change: change)
  }
}
