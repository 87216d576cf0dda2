import Offshore

extension Writer {
  /// Runs a closure whose changes of rows are not captured.
  func applying<Result>(_ body: () throws -> Result) throws -> Result {
    try SQL("UPDATE _state SET applying = 1 WHERE k = 1").run(self)
    let result = try body()
    try SQL("UPDATE _state SET applying = 0 WHERE k = 1").run(self)
    return result
  }
}
