import Synchronization

/// A box of any type, as its saver stores it.
protocol StorableBox: AnyObject, Sendable {
  /// Determines the changes to store.
  func beginStoring()
  /// Stores the changes in an update of their folder.
  /// - Returns: A closure to call once the update is stored.
  func store(in update: FolderUpdate) throws -> @Sendable () -> Void
  /// Stores the changes by themselves.
  func storeAlone() async throws
  /// Records that the changes were not stored.
  func didFail(_ error: any Error)
}

/// The pauses after changes, and the storing of all changes of a folder when the first one ends.
final class SharedSaver: Sendable {
  private struct State {
    /// The boxes with changes that are not stored.
    var boxes: [any StorableBox] = []
    /// The pause of each box with changes.
    var pauses: [ObjectIdentifier: Task<Void, Never>] = [:]
    /// The storing that was started last.
    var storing: Task<Void, any Error>?
  }

  /// The folder of the boxes; `nil` if there is one box, which is stored elsewhere.
  let folder: DocumentFolder?
  private let state = Mutex(State())

  init(_ folder: DocumentFolder?) { self.folder = folder }

  /// Stores the changes of a box after its pause, or after an earlier one of another box.
  func add(_ box: any StorableBox, after pause: @escaping @Sendable () async throws -> Void) {
    state.withLock { state in
      if !state.boxes.contains(where: { $0 === box }) { state.boxes.append(box) }
      guard state.pauses[ObjectIdentifier(box)] == nil else { return }
      // The saver and the boxes exist until the changes are stored, even without another holder.
      state.pauses[ObjectIdentifier(box)] = Task { [self] in
        guard (try? await pause()) != nil else { return }
        // An error is recorded in the boxes.
        try? await flush()
      }
    }
  }

  /// Stores all changes so far.
  /// - Throws: The error of their place.
  func flush() async throws {
    let storing = state.withLock { state in
      for pause in state.pauses.values { pause.cancel() }
      state.pauses = [:]
      let former = state.storing
      let storing = Task { [self] in
        _ = await former?.result
        try await store()
      }
      state.storing = storing
      return storing
    }
    try await storing.value
  }

  private func store() async throws {
    let boxes = SharedPlaces.locked {
      let boxes = state.withLock { state in
        defer { state.boxes = [] }
        return state.boxes
      }
      for box in boxes { box.beginStoring() }
      return boxes
    }
    guard !boxes.isEmpty else { return }
    do {
      if let folder {
        try await folder.store(boxes)
      } else {
        for box in boxes { try await box.storeAlone() }
      }
    } catch {
      for box in boxes { box.didFail(error) }
      state.withLock { state in
        state.boxes = boxes + state.boxes.filter { box in !boxes.contains { $0 === box } }
      }
      throw error
    }
  }
}

extension DocumentFolder {
  /// Stores the changes of shared values.
  fileprivate func store(_ boxes: [any StorableBox]) throws {
    let completions = try update { update in try boxes.map { try $0.store(in: update) } }
    // In one step with the update, before another value arrives.
    for complete in completions { complete() }
  }
}
