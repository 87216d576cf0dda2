/// The lane of files.
extension SyncDriver {
  /// Starts the lane of files with an access token, or stops it with `nil`, after earlier changes.
  func changeFileLane(to token: String?) {
    guard let lane = fileLane ?? newFileLane() else { return }
    fileLane = lane
    fileLaneChange = Task { [former = fileLaneChange] in
      await former?.value
      if let token { await lane.start(token: token) } else { await lane.stop() }
    }
  }

  private func newFileLane() -> FileLane? {
    guard let files, let transport = transport as? any FileTransport else { return nil }
    return FileLane(database, files, replica, over: transport, environment) { [weak self] in
      await self?.waitForRows()
    }
  }

  /// Retries failed files at once, because the server answers again.
  func retryFiles() {
    guard let fileLane else { return }
    Task { await fileLane.retry() }
  }
}
