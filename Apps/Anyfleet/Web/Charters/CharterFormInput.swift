import Anyfleet
import OffshoreHTTP

/// The fields of a charter's form as they were typed, readable or not.
struct CharterFormInput: Equatable {
  var name = ""
  var vessel = ""
  var destination = ""
  var region = ""
  var startDate = ""
  var endDate = ""
  var guests = "\(CharterModel.defaultGuests)"

  /// Creates the fields of an empty form.
  init() {}

  /// Takes what a form sent; fields that it did not send stay as in an empty form.
  init(_ fields: Fields) {
    name = fields["name"] ?? name
    vessel = fields["vessel"] ?? vessel
    destination = fields["destination"] ?? destination
    region = fields["region"] ?? region
    startDate = fields["startDate"] ?? startDate
    endDate = fields["endDate"] ?? endDate
    guests = fields["guests"] ?? guests
  }

  /// What the fields mean. What cannot be read is left out, or out of range, which validation then says.
  func state(_ days: Days) -> CharterFormState {
    var state = CharterFormState()
    state.name = name
    state.vessel = vessel
    state.destination = destination
    state.region = region
    state.startDate = days.day(startDate)
    state.endDate = days.day(endDate)
    state.guests = Int(guests.filter { !$0.isWhitespace }) ?? 0
    return state
  }
}
