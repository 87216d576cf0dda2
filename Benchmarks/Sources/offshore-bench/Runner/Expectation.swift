/// A job did not do the work that it was to be timed for.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Ends a job whose work did not come out as it must: its time would mean nothing.
/// - Throws: ``WrongResult`` where the condition is false.
func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) throws {
  guard condition else { throw WrongResult(description: "Expected \(expectation()).") }
}
