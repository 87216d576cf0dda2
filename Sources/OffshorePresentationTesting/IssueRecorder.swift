import OffshorePresentation
import Synchronization
import Testing

/// Records issues of a test at the place of its latest call.
final class IssueRecorder: Sendable {
  private let place: Mutex<SourceLocation>

  init(_ sourceLocation: SourceLocation) { place = Mutex(sourceLocation) }

  /// The place of the latest call of the test.
  var sourceLocation: SourceLocation {
    get { place.withLock(\.self) }
    set { place.withLock { $0 = newValue } }
  }

  /// Records an issue with a text.
  func record(_ text: String) {
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }

  /// Records the differences of two values, a line for each.
  func recordDifference<Value>(expected: Value, found: Value, _ summary: String) {
    let lines = ValueDifference.lines(expected: expected, found: found)
    record(([summary + " from the asserted one:"] + lines).joined(separator: "\n  "))
  }

  /// Records the actions that a test has not asserted, if there are any.
  func recordUnasserted(_ actions: [some Any], at moment: String) {
    guard !actions.isEmpty else { return }
    let summary = "These actions of effects were not asserted by `receive` before \(moment):"
    record(([summary] + actions.map { "\(ValueText($0))" }).joined(separator: "\n  "))
  }

  /// Records the actions whose effects are running, if there are any.
  func recordRunning(_ origins: [some Any], after moment: String) {
    guard !origins.isEmpty else { return }
    let summary = "An effect of each of these actions is still running \(moment):"
    record(([summary] + origins.map { "\(ValueText($0))" }).joined(separator: "\n  "))
  }
}

extension DependencyValues {
  /// Sets the context `test`, in which a dependency without a value is recorded as an issue.
  mutating func recordUnset(by issues: IssueRecorder) {
    context = .test
    reportUnset = { name in
      issues.record(
        "The dependency “\(name)” was used without a value. Set it in `withDependencies`.")
    }
  }
}
