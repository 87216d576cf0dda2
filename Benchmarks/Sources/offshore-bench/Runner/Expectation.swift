/// An error of a job that did not do the work to be timed.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Ends a job with a wrong result, since its time would mean nothing.
/// - Throws: ``WrongResult`` if the condition is false.
func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) throws {
  guard condition else { throw WrongResult(description: "Expected \(expectation()).") }
}
