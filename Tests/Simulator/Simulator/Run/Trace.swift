/// What happened in a schedule, a line for each step.
///
/// NB: A class, because a line is put together while it is added, and may ask whether it is kept.
final class Trace {
  /// Whether lines are kept; without them, schedules are quicker.
  let isKept: Bool
  private(set) var lines: [String] = []

  init(isKept: Bool) { self.isKept = isKept }

  func add(_ line: @autoclosure () -> String) {
    if isKept { lines.append(line()) }
  }
}
