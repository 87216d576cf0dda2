import Foundation
import Synchronization
import Testing

@testable import OffshoreServer

/// The lines that a server has logged.
final class LogLines: Sendable {
  private let all = Mutex<[String]>([])

  var log: RequestLog { RequestLog { [self] line in all.withLock { $0.append(line) } } }
  var text: [String] { all.withLock { $0 } }

  func json() throws -> [[String: Any]] {
    try text.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}
