import Offshore
import OffshoreHTTP
import OffshoreSync

/// The reason why a host cannot start, with a remedy.
package struct HostError: Error, CustomStringConvertible {
  /// One or two sentences to show in a terminal.
  package let description: String

  /// Creates an error from one or two sentences.
  package init(_ description: String) { self.description = description }

  /// Returns the sentences to show in a terminal for an error.
  package static func explanation(of error: any Error) -> String {
    switch error {
    case let error as HostError: error.description
    case let error as HTTPServerError where error.code == .addressInUse:
      "\(error.message) Choose another by --port N."
    case let error as HTTPServerError: error.message
    case let error as DatabaseError: error.message
    case let error as SyncError: error.message
    default: "\(error)"
    }
  }
}
