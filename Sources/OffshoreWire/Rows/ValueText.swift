import Foundation

/// The JSON of column values, for clients that read and write single rows. Different values never
/// look alike.
///
/// | value | JSON |
/// | --- | --- |
/// | NULL | `null` |
/// | integer | a number without point and exponent, exact to 64 bits |
/// | real | a number with a point or an exponent, the shortest that parses as the same bits |
/// | infinity | `{"real": "Infinity"}`, `{"real": "-Infinity"}` |
/// | text | a string; `{"textBase64": "…"}` if the bytes are not UTF-8 |
/// | BLOB | `{"base64": "…"}` |
/// | a set, a keyed map | an array, an object |
///
/// A sealed value is encoded by its stored type, because the server does not know its content.
package enum ValueText {
  /// Encodes a value.
  package static func json(_ value: WireValue, of column: SyncedColumn) -> [UInt8] {
    if let compound = compound(value, of: column), case .text(let bytes) = compound.value {
      return bytes
    }
    switch value {
    case .null: return Array("null".utf8)
    case .integer(let number): return Array(String(number).utf8)
    case .real(let number): return json(number)
    case .blob(let bytes): return tagged("base64", Data(bytes).base64EncodedString())
    case .text(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return tagged("textBase64", Data(bytes).base64EncodedString())
      }
      return json(text)
    }
  }

  /// Encodes a text.
  package static func json(_ text: String) -> [UInt8] {
    var json = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        json += Array((byte < 16 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
      default: json.append(byte)
      }
    }
    return json + [UInt8(ascii: "\"")]
  }

  private static func json(_ number: Double) -> [UInt8] {
    guard number.isFinite else { return tagged("real", number < 0 ? "-Infinity" : "Infinity") }
    return Array(number.description.utf8)
  }

  private static func tagged(_ name: String, _ text: String) -> [UInt8] {
    Array(#"{"\#(name)":"\#(text)"}"#.utf8)
  }

  /// Returns the set or map of a value, or `nil` if the column or the value is not one.
  private static func compound(_ value: WireValue, of column: SyncedColumn) -> CompoundValue? {
    guard let form = form(of: column) else { return nil }
    let compound = CompoundValue(value, form)
    return compound.shell == empty(form) ? compound : nil
  }

  private static func form(of column: SyncedColumn) -> CompoundValue.Form? {
    switch column.policy {
    case .set where !column.isSealed: .set
    case .keyed where !column.isSealed: .object
    default: nil
    }
  }

  private static func empty(_ form: CompoundValue.Form) -> WireValue {
    form == .set ? "[]" : "{}"
  }

  // MARK: - Parsing

  /// Parses a value of a column, without checking that the column can store it. The manifest checks
  /// that.
  /// - Parameter json: one JSON value, without surrounding white space.
  /// - Throws: `Rejection` with the code `invalidValue`.
  package static func value(
    _ json: [UInt8], of column: SyncedColumn
  ) throws(Rejection) -> WireValue {
    switch json.first {
    case UInt8(ascii: "n") where json == Array("null".utf8): return .null
    case UInt8(ascii: "\""): return WireValue(try string(json, column.name))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if form(of: column) == nil { return try tagged(json, column.name) }
      guard compound(.text(json), of: column) != nil else {
        throw .invalidValue(
          column.policy == .set
            ? "A set is an array of strings, numbers, true, false and null."
            : "A map is an object.", field: column.name)
      }
      return .text(json)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      throw .invalidValue(
        [.integer, .any].contains(column.type)
          ? "No column stores true or false. Send 1 or 0."
          : "The column stores \(column.type.rawValue), not true or false.", field: column.name)
    default: return try number(String(decoding: json, as: UTF8.self), column)
    }
  }

  /// Parses an integer of 64 bits.
  /// - Throws: `Rejection` with the code `invalidValue`.
  package static func integer(
    _ json: [UInt8], _ field: String
  ) throws(Rejection) -> WireValue {
    guard let number = Int64(String(decoding: json, as: UTF8.self)) else {
      throw .invalidValue("An increment is an integer of 64 bits.", field: field)
    }
    return .integer(number)
  }

  /// Parses a JSON string.
  /// - Throws: `Rejection` with the code `invalidValue`.
  package static func string(_ json: [UInt8], _ field: String) throws(Rejection) -> String {
    guard let text = try? JSONDecoder().decode(String.self, from: Data(json)) else {
      throw .invalidValue("Send a string whose escapes stand for characters.", field: field)
    }
    return text
  }

  private static func number(
    _ text: String, _ column: SyncedColumn
  ) throws(Rejection) -> WireValue {
    let isIntegral = !text.utf8.contains { ".eE".utf8.contains($0) }
    if isIntegral, column.type != .real {
      guard let number = Int64(text) else {
        throw .invalidValue("An integer has 64 bits. Send a smaller one.", field: column.name)
      }
      return .integer(number)
    }
    guard let number = Double(text), number.isFinite else {
      throw .invalidValue(
        #"The number is too large. Infinity is {"real": "Infinity"}."#, field: column.name)
    }
    return .real(number)
  }

  private static func tagged(
    _ json: [UInt8], _ field: String
  ) throws(Rejection) -> WireValue {
    let parts = CompoundValue(.text(json), .object).parts
    if parts.count == 1, let (tag, value) = parts.first, case .text(let bytes) = value,
      let found = self.value(tag, try string(bytes, field))
    {
      return found
    }
    throw .invalidValue(
      """
      The column takes no arrays, and as objects {"base64": "…"}, {"textBase64": "…"} and \
      {"real": "Infinity"} only.
      """, field: field)
  }

  private static func value(_ tag: String, _ text: String) -> WireValue? {
    switch (tag, text) {
    case ("base64", _): Data(base64Encoded: text).map { .blob(Array($0)) }
    case ("textBase64", _): Data(base64Encoded: text).map { .text(Array($0)) }
    case ("real", "Infinity"): .real(.infinity)
    case ("real", "-Infinity"): .real(-.infinity)
    default: nil
    }
  }
}

extension Rejection {
  fileprivate static func invalidValue(_ message: String, field: String) -> Rejection {
    Rejection(.invalidValue, message, field: field)
  }
}
