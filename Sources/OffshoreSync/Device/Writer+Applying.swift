import Offshore

extension Writer {
  /// Runs a closure without capturing its changes of rows.
  /// - Throws: any error of the closure. The caller has to roll the write back, or nothing is
  ///   captured from then on.
  func applying<Result>(_ body: () throws -> Result) throws -> Result {
    try SQL("UPDATE _state SET applying = 1 WHERE k = 1").run(self)
    let result = try body()
    try SQL("UPDATE _state SET applying = 0 WHERE k = 1").run(self)
    return result
  }
}
