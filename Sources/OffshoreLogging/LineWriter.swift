import Dispatch
import Foundation
import Synchronization

/// A writer of lines to a file in the background, so that no caller waits for the file's reader.
///
/// If lines arrive faster than they are written, up to ``limit`` of them wait. Further lines are
/// dropped, and a line in their place reports their number:
///
/// ```json
/// {"level":"error","error":"log: lines were dropped","dropped":17}
/// ```
///
/// A line that cannot be written is lost.
final class LineWriter: Sendable {
  private struct State {
    var waiting = 0
    var dropped = 0
  }

  /// The largest number of waiting lines.
  let limit: Int
  private let file: FileHandle
  private let queue = DispatchQueue(label: "offshore.log")
  private let state = Mutex(State())

  init(_ file: FileHandle, limit: Int = 10_000) {
    (self.file, self.limit) = (file, limit)
  }

  /// Enqueues a line without a line break, or drops it if the queue is full.
  func write(_ line: String) {
    let isEnqueued = state.withLock { state in
      guard state.waiting < limit else {
        state.dropped += 1
        return false
      }
      state.waiting += 1
      return true
    }
    if isEnqueued { queue.async { self.put(line) } }
  }

  /// Waits until all enqueued lines are written, or until a time has passed.
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
