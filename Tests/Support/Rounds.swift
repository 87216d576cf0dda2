import Foundation

/// The number of rounds of a test of faults.
package enum Rounds {
  /// - Parameters:
  ///   - soak: the rounds where the variable `OFFSHORE_SOAK` is set, as `make soak` sets it.
  ///   - test: the rounds of an ordinary test run.
  package static func count(ofSoak soak: Int, else test: Int) -> Int {
    ProcessInfo.processInfo.environment["OFFSHORE_SOAK"] == nil ? test : soak
  }
}
