public import Offshore
public import OffshoreCalendar

// Values of OffshoreCalendar as columns. They are declared here because OffshoreCalendar does not
// depend on a database.

/// A codec that stores a calendar value as its text. Texts sort in the order of their values.
public protocol CalendarText: ColumnCodec where Value: LosslessStringConvertible & SQLComparable {
  /// The format of the text, for error messages.
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

extension CalendarDay: ColumnValue, SQLComparable {
  /// A codec that stores a day as text `yyyy-MM-dd`, which SQLite's date functions understand.
  public enum Codec: CalendarText {
    public static let form = "a day as text, yyyy-MM-dd"
    public static let samples = (CalendarDay.first, CalendarDay.last)
  }
}

extension TimeOfDay: ColumnValue, SQLComparable {
  /// A codec that stores a time as text `HH:mm`, which SQLite's date functions understand.
  public enum Codec: CalendarText {
    public static let form = "a time as text, HH:mm"
    public static let samples = (
      TimeOfDay(hour: 0, minute: 0), TimeOfDay(hour: 23, minute: 59)
    )
  }
}

// NB: These are stored by their names, such as `monday`, as every enumeration of strings.
extension Weekday: ColumnValue {}
extension CalendarColor: ColumnValue {}
