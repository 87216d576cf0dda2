import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands what a session's tasks receive to who waits for it.
final class TaskDelegate: NSObject, URLSessionDataDelegate {
  private let tasks = Mutex<[Int: TransportTask]>([:])

  /// Starts a task.
  func begin(_ task: URLSessionDataTask) -> TransportTask {
    let running = TransportTask(task)
    tasks.withLock { $0[task.taskIdentifier] = running }
    running.onTermination { [weak task] in task?.cancel() }
    task.resume()
    return running
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    running(dataTask)?.take(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    running(dataTask)?.take(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    tasks.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  private func running(_ task: URLSessionTask) -> TransportTask? {
    tasks.withLock { $0[task.taskIdentifier] }
  }
}
