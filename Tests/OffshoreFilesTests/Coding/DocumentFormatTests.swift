import Foundation
import Testing

@testable import OffshoreFiles

private struct Settings: Codable, Equatable, Sendable {
  var name: String
  var zoom: Double
  var places: [String: Int]
}

/// A value whose JSON looks like a versioned document.
private struct Edition: Codable, Equatable, Sendable {
  var version: Int
  var value: String
}

private struct Old: Codable { var title: String }
private struct Middle: Codable { var titles: [String] }
private struct New: Codable, Equatable, Sendable { var names: [String] }

private struct Refused: Error {}

/// A value that is nested as deep as its number.
private indirect enum Nested: Codable, Sendable {
  case end
  case next(Nested)
  init(_ depth: Int) { self = depth == 0 ? .end : .next(Nested(depth - 1)) }
}

extension DocumentFormat {
  /// Encodes a value that does not keep its JSON.
  fileprivate func encode(_ value: Value) throws -> JSONCoding.Encoded {
    var value = value
    return try encode(&value)
  }
}

/// The form of values in their files.
struct DocumentFormatTests {
  private func format<Value: Codable & Sendable>(
    _ type: Value.Type, _ upgrades: [DocumentUpgrade] = [],
    _ configuration: JSONConfiguration = JSONConfiguration()
  ) -> DocumentFormat<Value> {
    DocumentFormat(configuration: configuration, upgrades: upgrades)
  }

  private func text<Value: Codable & Sendable>(_ value: Value, _ format: DocumentFormat<Value>)
    throws
    -> String
  {
    String(decoding: try format.encode(value).bytes, as: UTF8.self)
  }

  private func damage<Value: Codable & Sendable>(
    _ bytes: some Sequence<UInt8>, _ format: DocumentFormat<Value>
  )
    -> String?
  {
    do {
      _ = try format.decode(Data(bytes))
      return nil
    } catch DocumentFailure.damaged(let reason, _) {
      return reason
    } catch {
      return "\(error)"
    }
  }

  private static let upgrades = [
    DocumentUpgrade { (old: Old) in Middle(titles: [old.title]) },
    DocumentUpgrade { (old: Middle) in New(names: old.titles + ["upgraded"]) },
  ]

  // MARK: - Text

  @Test func `A value is indented JSON with sorted keys and a line break at its end`() throws {
    let settings = Settings(name: "a/b “ö”", zoom: 1.5, places: ["Vis": 2, "Hvar": 1, "Brač": 3])
    let expected = """
      {
        "name" : "a/b “ö”",
        "places" : {
          "Brač" : 3,
          "Hvar" : 1,
          "Vis" : 2
        },
        "zoom" : 1.5
      }

      """
    #expect(try text(settings, format(Settings.self)) == expected)
    #expect(try format(Settings.self).decode(Data(expected.utf8)).value == settings)
  }

  @Test func `Dates are texts with their full precision, or in whole seconds`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.000_1)
    let full = format([Date].self)
    #expect(try text([date], full) == "[\n  \"2001-01-01T00:00:01.0001Z\"\n]\n")
    #expect(try full.decode(full.encode([date]).bytes).value == [date])
    #expect(try full.encode([date]).isExact)
    let seconds = format([Date].self, [], JSONConfiguration(datePrecision: .seconds))
    #expect(try text([date], seconds) == "[\n  \"2001-01-01T00:00:01Z\"\n]\n")
    #expect(try !seconds.encode([date]).isExact)
    #expect(try seconds.encode([Date(timeIntervalSinceReferenceDate: 2)]).isExact)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let read = try decoder.decode([Date].self, from: seconds.encode([date]).bytes)
    #expect(read == [Date(timeIntervalSinceReferenceDate: 1)])
  }

  @Test func `A value that JSON cannot express is refused`() {
    func isRefused<Value: Codable & Sendable>(_ value: Value, limit: Int = 1 << 20) -> Bool {
      let format = format(Value.self, [], JSONConfiguration(sizeLimit: limit))
      do {
        _ = try format.encode(value)
        return false
      } catch DocumentFailure.invalidValue {
        return true
      } catch {
        return false
      }
    }
    #expect(isRefused(Double.nan))
    #expect(isRefused([Double.infinity]))
    #expect(isRefused(Date.distantFuture.addingTimeInterval(1e12)))
    #expect(isRefused(Nested(200)))
    #expect(isRefused([Nested(99)]))
    #expect(!isRefused(Nested(20)))
  }

  @Test func `A value that is too large is refused`() throws {
    let format = format([Int].self, [], JSONConfiguration(sizeLimit: 20))
    #expect(try format.encode([1, 2]).bytes.count <= 20)
    #expect(throws: DocumentFailure.self) { try format.encode(Array(0..<20)) }
  }

  // MARK: - Versions

  @Test func `A value without upgrades has no envelope`() throws {
    #expect(try text([1], format([Int].self)) == "[\n  1\n]\n")
    #expect(try text("x", format(String.self)) == "\"x\"\n")
    #expect(try text(Int?.none, format(Int?.self)) == "null\n")
  }

  @Test func `A value with upgrades is stored with its version`() throws {
    let new = format(New.self, Self.upgrades)
    let expected = """
      {
        "value" : {
          "names" : [
            "a"
          ]
        },
        "version" : 2
      }

      """
    #expect(try text(New(names: ["a"]), new) == expected)
    let decoded = try new.decode(Data(expected.utf8))
    #expect(decoded.value == New(names: ["a"]))
    #expect(decoded.version == 2)
  }

  @Test(
    arguments: [
      (#"{"title": "a"}"#, 0, ["a", "upgraded"]),
      (#"{"version": 0, "value": {"title": "a"}}"#, 0, ["a", "upgraded"]),
      (#"{"version": 1, "value": {"titles": ["a", "b"]}}"#, 1, ["a", "b", "upgraded"]),
      (#" { "value" : {"names": []} , "version" : 2 } "#, 2, []),
    ] as [(String, Int, [String])])
  func `A former version is upgraded step by step`(
    _ text: String, _ version: Int, _ names: [String]
  )
    throws
  {
    let decoded = try format(New.self, Self.upgrades).decode(Data(text.utf8))
    #expect(decoded.version == version)
    #expect(decoded.value.names == names)
  }

  @Test func `A newer version is refused, even if its value could be decoded`() {
    let text = Data(#"{"version": 3, "value": {"names": []}}"#.utf8)
    #expect {
      try format(New.self, Self.upgrades).decode(text)
    } throws: { error in
      if case DocumentFailure.newerVersion(3) = error { true } else { false }
    }
    #expect(throws: DocumentFailure.self) {
      try format([Int].self).decode(Data(#"{"version": 1, "value": []}"#.utf8))
    }
  }

  @Test func `A failing upgrade states the version from which it failed`() {
    let failing = DocumentUpgrade { (_: Middle) -> New in throw Refused() }
    let text = Data(#"{"title": "a"}"#.utf8)
    #expect {
      try format(New.self, [Self.upgrades[0], failing]).decode(text)
    } throws: { error in
      if case DocumentFailure.upgradeFailed(1, let cause) = error {
        cause is Refused
      } else {
        false
      }
    }
    // The file is complete JSON, so the upgrade may be at fault.
    #expect {
      try format(New.self, Self.upgrades).decode(Data(#"{"other": "a"}"#.utf8))
    } throws: { error in
      if case DocumentFailure.upgradeFailed(0, _) = error { true } else { false }
    }
    #expect(damage(#"{"title": "a"#.utf8, format(New.self, Self.upgrades)) != nil)
  }

  @Test func `A value that looks like an envelope is not mistaken for one`() throws {
    let edition = Edition(version: 7, value: "x")
    let plain = format(Edition.self)
    let bytes = try plain.encode(edition).bytes
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"version\" : 0"))
    #expect(try plain.decode(bytes).value == edition)
    // An object with further members is not an envelope.
    struct Larger: Codable, Equatable {
      var version = 7
      var value = "x"
      var more = true
    }
    let larger = format(Larger.self)
    #expect(try larger.decode(larger.encode(Larger()).bytes).value == Larger())
    #expect(try !text(Larger(), larger).contains("\"version\" : 0"))
  }

  // MARK: - Damage

  @Test(arguments: [
    ("", "is empty"), ("  \n", "is empty"), ("[1, 2", "is not complete JSON"),
    ("[1] [2]", "is not complete JSON"), ("[1 2]", "is not complete JSON"),
    ("{", "lacks a text"), (#"["a"]"#, "has another content than the app stores"),
    ("{}", "has another content than the app stores"), ("[1\u{0}]", "is not a text in UTF-8"),
  ])
  func `Damage is described without any content`(_ text: String, _ reason: String) {
    #expect(damage(text.utf8, format([Int].self)) == reason)
  }

  @Test func `Another encoding than UTF-8 is damage`() throws {
    let utf16 = try #require("[1, 2]".data(using: .utf16LittleEndian))
    #expect(damage(utf16, format([Int].self)) == "is not a text in UTF-8")
    #expect(damage([0x22, 0xFF, 0x22], format(String.self)) == "is not a text in UTF-8")
    #expect(damage(Array("{\"a\":\"".utf8) + [0xC3, 0x28], format([String: String].self)) != nil)
  }

  @Test func `A byte order mark is ignored`() throws {
    let bytes = Data([0xEF, 0xBB, 0xBF]) + Data("[1, 2]".utf8)
    #expect(try format([Int].self).decode(bytes).value == [1, 2])
  }

  @Test func `A list with two elements of one id is damage`() {
    let text = #"[{"id": "a", "text": ""}, {"id": "b", "text": ""}, {"id": "a", "text": "x"}]"#
    #expect(
      damage(text.utf8, format(ElementList<Note>.self)) == "has two elements with the same id")
  }

  @Test func `Nesting without end is damage and does not exhaust the stack`() {
    let text = String(repeating: "[", count: 100_000)
    #expect(damage(text.utf8, format([Int].self)) != nil)
    let object = String(repeating: #"{"a":"#, count: 100_000)
    #expect(damage(object.utf8, format([String: Int].self)) == "is nested too deep")
  }
}
