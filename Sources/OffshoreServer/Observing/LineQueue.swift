import Dispatch
import Foundation
import OffshoreLogging
import Synchronization

/// Writes lines to a file one after the other, while those who hand them over go on.
///
/// Where they are written more slowly than they come, ``limit`` of them wait. Further ones are dropped, and
/// how many they were is told by a line in their place:
///
/// ```json
/// {"level":"error","error":"log: lines were dropped","dropped":17}
/// ```
///
/// A line that cannot be written is lost.
final class LineQueue: Sendable {
  private struct State {
    var waiting = 0
    var dropped = 0
  }

  /// How many lines wait at the most.
  let limit: Int
  private let file: FileHandle
  private let queue = DispatchQueue(label: "offshore.log")
  private let state = Mutex(State())

  init(_ file: FileHandle, limit: Int = 10_000) {
    (self.file, self.limit) = (file, limit)
  }

  /// Hands over a line, without its end.
  func write(_ line: String) {
    let isTaken = state.withLock { state in
      guard state.waiting < limit else {
        state.dropped += 1
        return false
      }
      state.waiting += 1
      return true
    }
    if isTaken { queue.async { self.put(line) } }
  }

  /// Waits until what was handed over is written, or a time is over.
  func flush(within time: DispatchTimeInterval = .seconds(1)) async {
    let isDone = DispatchGroup()
    isDone.enter()
    queue.async { isDone.leave() }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        _ = isDone.wait(timeout: .now() + time)
        continuation.resume()
      }
    }
  }

  private func put(_ line: String) {
    let dropped = state.withLock { state in
      defer { state.dropped = 0 }
      state.waiting -= 1
      return state.dropped
    }
    var text = "\(line)\n"
    if dropped > 0 {
      text += #"{"level":"error","error":"log: lines were dropped","dropped":\#(dropped)}"# + "\n"
    }
    try? file.writeWithoutSignal(Data(text.utf8))
  }
}
