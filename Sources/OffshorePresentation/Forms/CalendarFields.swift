public import OffshoreCalendar

// The fields for values of OffshoreCalendar.

extension DraftField {
  /// Returns a field for a day.
  public static func day(
    _ name: String, _ property: any WritableKeyPath<Entry, CalendarDay> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .day, isRequired: true) {
      "\($0[keyPath: property])"
    } write: { text, entry throws(ValidationError) in
      guard let day = CalendarDay(text) else { throw .outOfRange(field: name) }
      entry[keyPath: property] = day
    }
  }

  /// Returns a field for an optional day. An empty text is stored as `nil`.
  /// - Parameter missing: the sentence for an empty text if the field is required.
  public static func day(
    _ name: String, _ property: any WritableKeyPath<Entry, CalendarDay?> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil, isRequired: Bool = false,
    missing: LocalizedText? = nil
  ) -> DraftField {
    DraftField(
      name, label: label, hint: hint, kind: .day, isRequired: isRequired, missing: missing
    ) {
      $0[keyPath: property]?.description ?? ""
    } write: { text, entry throws(ValidationError) in
      let day = CalendarDay(text)
      guard day != nil || text.isEmpty else { throw .outOfRange(field: name) }
      entry[keyPath: property] = day
    }
  }

  /// Returns a field for a time of day.
  public static func time(
    _ name: String, _ property: any WritableKeyPath<Entry, TimeOfDay> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .time, isRequired: true) {
      "\($0[keyPath: property])"
    } write: { text, entry throws(ValidationError) in
      guard let time = TimeOfDay(text) else { throw .outOfRange(field: name) }
      entry[keyPath: property] = time
    }
  }

  /// Returns a field for a choice between the colors of calendar entries.
  public static func color(
    _ name: String, _ property: any WritableKeyPath<Entry, CalendarColor> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil
  ) -> DraftField {
    DraftField(name, label: label, hint: hint, kind: .color) {
      $0[keyPath: property].rawValue
    } write: { text, entry throws(ValidationError) in
      guard let color = CalendarColor(rawValue: text) else { throw .outOfRange(field: name) }
      entry[keyPath: property] = color
    }
  }
}
