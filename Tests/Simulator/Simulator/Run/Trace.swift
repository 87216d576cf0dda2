/// The events of a schedule, one line each.
///
/// NB: A class, because building a line may access the trace while the line is added.
final class Trace {
  /// Whether lines are stored; schedules run faster without them.
  let isKept: Bool
  private(set) var lines: [String] = []

  init(isKept: Bool) { self.isKept = isKept }

  func add(_ line: @autoclosure () -> String) {
    if isKept { lines.append(line()) }
  }
}
