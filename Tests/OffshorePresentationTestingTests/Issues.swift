import Synchronization
import Testing

/// Runs code that has to record issues, and returns their texts.
@MainActor
func issues(of body: @MainActor () async -> Void) async -> [String] {
  await recordedIssues(of: body).map { $0.comments.map(\.rawValue).joined(separator: "\n") }
}

/// Runs code that has to record issues, and returns them.
@MainActor
func recordedIssues(of body: @MainActor () async -> Void) async -> [Issue] {
  let recorded = Mutex<[Issue]>([])
  await withKnownIssue {
    await body()
  } matching: { issue in
    recorded.withLock { $0.append(issue) }
    return true
  }
  return recorded.withLock(\.self)
}
