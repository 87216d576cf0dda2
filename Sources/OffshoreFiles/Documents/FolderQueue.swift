import Dispatch

/// The executor of a folder and its documents: a queue, whose thread may wait for the disk.
///
/// A folder and its documents are isolated together, so a change of several documents is one step.
final class FolderQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "offshore.files")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
