public import Offshore
public import OffshoreCalendar

// Values of OffshoreCalendar as columns. They are here since OffshoreCalendar knows no database.

/// Stores a value of the calendar as its text. Texts sort as their values do.
public protocol CalendarText: ColumnCodec where Value: LosslessStringConvertible & SQLComparable {
  /// The form of the text, for errors.
  static var form: String { get }
}

extension CalendarText {
  public static var sqlType: String { "TEXT" }

  public static func read(_ row: inout RowReader, _ index: Int32) -> Value {
    let text = StringCodec.read(&row, index)
    guard let value = Value(text) else {
      row.fail(index, expected: form)
      return samples.0
    }
    return value
  }

  public static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32) {
    StringCodec.bind(value.description, &row, index)
  }
}

/// Stores a day as text `yyyy-MM-dd`, which SQLite's date functions understand.
public enum CalendarDayText: CalendarText {
  public static let form = "a day as text, yyyy-MM-dd"
  public static let samples = (CalendarDay.first, CalendarDay.last)
}

/// Stores a time as text `HH:mm`, which SQLite's date functions understand.
public enum TimeOfDayText: CalendarText {
  public static let form = "a time as text, HH:mm"
  public static let samples = (
    TimeOfDay(hour: 0, minute: 0), TimeOfDay(hour: 23, minute: 59)
  )
}

extension CalendarDay: ColumnValue, SQLComparable { public typealias Codec = CalendarDayText }
extension TimeOfDay: ColumnValue, SQLComparable { public typealias Codec = TimeOfDayText }
/// A weekday is stored by its name, such as `monday`.
extension Weekday: ColumnValue {}
