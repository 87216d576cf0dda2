public import Foundation

/// Events as an iCalendar file, which calendar apps import or subscribe to.
///
/// ```swift
/// let file = CalendarFile(
///   "Shifts", product: "Example",
///   events: [
///     CalendarFile.Event(
///       id: shift.id.uuidString, stamp: shift.changedAt, time: .days(day...day), title: "Early")
///   ])
/// file.text  // BEGIN:VCALENDAR…
/// ```
///
/// The format is that of [RFC 5545](https://www.rfc-editor.org/rfc/rfc5545). All texts are valid:
/// control characters that the format cannot express are left out.
public struct CalendarFile: Sendable, Equatable {
  /// The media type of the file.
  public static let mediaType = "text/calendar; charset=utf-8"

  private let name: String
  private let product: String
  private let events: [Event]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - name: the name that calendar apps show for the events.
  ///   - product: the name of the app that writes the file.
  ///   - events: the events in any order, each with an id of its own.
  public init(_ name: String, product: String, events: [Event]) {
    self.name = name
    self.product = product
    self.events = events
  }

  /// The file as text, to be sent and stored in UTF-8.
  public var text: String {
    var lines = ContentLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", text: "-//\(product)//EN")
    if !name.isEmpty {
      // The second one is for apps that do not know RFC 7986 yet.
      lines.add("NAME", text: name)
      lines.add("X-WR-CALNAME", text: name)
    }
    for event in events { event.write(to: &lines) }
    lines.add("END", "VCALENDAR")
    return lines.text
  }

  /// An event: a time, and texts about it.
  public struct Event: Sendable, Equatable {
    /// The time of an event.
    public enum Time: Sendable, Equatable {
      /// Whole days, in whichever time zone they are read.
      case days(ClosedRange<CalendarDay>)
      /// The instants from the first to the last, in whole seconds. An empty range is an instant.
      case instants(Range<Date>)
    }

    private let id: String
    private let stamp: Date
    private let time: Time
    private let title: String
    private let location: String
    private let notes: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - id: an id that no other event of any app has, such as a UUID. An event with the id of an
    ///     earlier file replaces that one in a calendar app.
    ///   - stamp: the date of the latest change of the event, or the current date if it is unknown.
    ///   - time: the days or instants of the event.
    ///   - title: the text that calendar apps show.
    ///   - location: the place; left out if empty.
    ///   - notes: a text of several lines; left out if empty.
    public init(
      id: String, stamp: Date, time: Time, title: String, location: String = "", notes: String = ""
    ) {
      self.id = id
      self.stamp = stamp
      self.time = time
      self.title = title
      self.location = location
      self.notes = notes
    }

    fileprivate func write(to lines: inout ContentLines) {
      lines.add("BEGIN", "VEVENT")
      lines.add("UID", text: id)
      lines.add("DTSTAMP", stamp.compactText)
      writeTime(to: &lines)
      lines.add("SUMMARY", text: title)
      if !location.isEmpty { lines.add("LOCATION", text: location) }
      if !notes.isEmpty { lines.add("DESCRIPTION", text: notes) }
      lines.add("END", "VEVENT")
    }

    /// Writes the start and the end, which must be later: without it, an event lasts a day or an
    /// instant.
    private func writeTime(to lines: inout ContentLines) {
      switch time {
      case .days(let days):
        // The day after the last one.
        let end = days.upperBound + 1
        lines.add("DTSTART;VALUE=DATE", days.lowerBound.compactText)
        if end > days.lowerBound { lines.add("DTEND;VALUE=DATE", end.compactText) }
      case .instants(let instants):
        let (start, end) = (instants.lowerBound.compactText, instants.upperBound.compactText)
        lines.add("DTSTART", start)
        if end > start { lines.add("DTEND", end) }
      }
    }
  }
}

extension CalendarDay {
  /// The day as `yyyyMMdd`.
  fileprivate var compactText: String { description.replacing("-", with: "") }
}

extension Date {
  /// The second in UTC as `yyyyMMddTHHmmssZ`. A date beyond the known years is the nearest within.
  fileprivate var compactText: String {
    let day = CalendarDay(containing: self)
    // NB: In this order, a date that is not a number becomes the start of the day.
    let seconds = min(max(0, timeIntervalSince(day.start)), 86_399)
    let second = Int(exactly: seconds.rounded(.down)) ?? 0
    let parts = [second / 3600, second / 60 % 60, second % 60]
    return "\(day.compactText)T\(parts.map { Digits.text($0, 2) }.joined())Z"
  }
}
