import OffshoreFiles
public import OffshorePresentation

/// The log of all changes, of which the latest can be undone and redone.
public typealias ChangeLogFeature = UndoFeature<ScheduleChange>

extension UndoFeature<ScheduleChange> {
  /// Creates the feature of the log in the dependency `persistence`.
  public init() {
    self.init {
      let client = DependencyValues.current.persistence
      return ChangeLogStorage(
        load: client.loadChanges, apply: client.apply, observe: client.observeChanges)
    }
  }
}
