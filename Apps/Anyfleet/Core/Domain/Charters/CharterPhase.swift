/// Where a charter lies in time, by calendar day.
public enum CharterPhase: String, CaseIterable, Sendable {
  /// It starts on a later day.
  case upcoming
  /// Today is one of its days, the last one included.
  case inProgress
  /// Its last day is over.
  case past
}
