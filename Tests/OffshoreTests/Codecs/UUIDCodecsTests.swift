import Foundation
import TestSupport
import Testing

@testable import Offshore

struct UUIDCodecTests {
  private static let spelling: String = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
  private static let uuid: UUID = UUID(uuidString: spelling) ?? UUID()
  private static let extremes: [UUID] = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
    UUID(uuid: (0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0, 1, 2, 3, 4, 5, 6, 7)),
    uuid,
  ]

  @Test(arguments: extremes) func `A UUID loads as it was stored, as text and as a BLOB`(
    value: UUID
  ) throws {
    #expect(try CodecProbe<UUIDText>().loaded(value) == value)
    #expect(try CodecProbe<UUIDBlob>().loaded(value) == value)
  }

  @Test(arguments: extremes) func `The text is the same as Foundation's`(value: UUID) throws {
    #expect(try CodecProbe<UUIDText>().stored(value) == "text '\(value.uuidString)'")
  }

  @Test func `The BLOB has the 16 bytes in order`() throws {
    #expect(
      try CodecProbe<UUIDBlob>().stored(Self.uuid) == "blob X'E621E1F8C36C495A93FC0C247A3E6E5F'")
  }

  @Test func `Text in lower case or of mixed case is read`() throws {
    let probe = try CodecProbe<UUIDText>()
    #expect(try probe.read("\(Self.spelling.lowercased())") == Self.uuid)
    #expect(try probe.read("'e621E1f8-c36C-495a-93fC-0C247A3E6e5F'") == Self.uuid)
  }

  @Test(arguments: [
    "", "E621E1F8", "E621E1F8-C36C-495A-93FC-0C247A3E6E5",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F0",
    "E621E1F8C36C495A93FC0C247A3E6E5F0000", "G621E1F8-C36C-495A-93FC-0C247A3E6E5F",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5/", "E621E1F8-C36C-495A-93FC-0C247A3E6E5:",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5@", "E621E1F8-C36C-495A-93FC-0C247A3E6E5`",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5g", "E621E1F8_C36C_495A_93FC_0C247A3E6E5F",
    "{621E1F8-C36C-495A-93FC-0C247A3E6E5}", "E621E1F-8C36C-495A-93FC-0C247A3E6E5F",
    " 621E1F8-C36C-495A-93FC-0C247A3E6E5F", "É21E1F8-C36C-495A-93FC-0C247A3E6E5F",
  ]) func `A text that is not a UUID is an error`(text: String) throws {
    #expect(
      try CodecProbe<UUIDText>().misfit("\(text)")
        == Misfit(expected: "a UUID as text", found: "a text of \(text.utf8.count) bytes"))
  }

  @Test func `Every hexadecimal digit is accepted and any other character is refused`() throws {
    let places = Self.spelling.utf8.enumerated().filter { $1 != UInt8(ascii: "-") }.map(\.offset)
    for place in places {
      for character in UInt8.min...UInt8.max {
        var bytes = Array(Self.spelling.utf8)
        bytes[place] = character
        let uuid = bytes.withUnsafeBufferPointer { HexText.uuid($0) }
        let isDigit = character < 128 && Character(UnicodeScalar(character)).isHexDigit
        #expect((uuid != nil) == isDigit, "character \(character) at \(place)")
        guard isDigit else { continue }
        #expect(uuid == UUID(uuidString: String(decoding: bytes, as: UTF8.self)))
        var spelled = ""
        uuid.map { HexText.withText(of: $0) { spelled = String(decoding: $0, as: UTF8.self) } }
        #expect(spelled == String(decoding: bytes, as: UTF8.self).uppercased())
      }
    }
  }

  @Test(arguments: [0, 1, 15, 17, 32]) func `A BLOB of another length is an error`(count: Int)
    throws
  {
    #expect(
      try CodecProbe<UUIDBlob>().misfit("zeroblob(\(count))")
        == Misfit(expected: "the 16 bytes of a UUID", found: "a BLOB of \(count) bytes"))
  }

  @Test func `A text column refuses a BLOB, and a BLOB column refuses text`() throws {
    #expect(try CodecProbe<UUIDText>().misfit("zeroblob(36)")?.found == "a BLOB of 36 bytes")
    #expect(try CodecProbe<UUIDBlob>().misfit("\(Self.spelling)")?.found == "a text of 36 bytes")
    #expect(try CodecProbe<UUIDText>().misfit("NULL")?.found == "NULL")
    #expect(try CodecProbe<UUIDBlob>().misfit("16")?.found == "an integer")
  }

  @Test func `Ten thousand random UUIDs load as they were stored`() throws {
    var random = SeededRandom(seed: 2)
    let values = (0..<10_000).map { _ in UUID.random(using: &random) }
    #expect(try CodecProbe<UUIDText>().loaded(values) == values)
  }
}

extension UUID {
  fileprivate static func random(using random: inout SeededRandom) -> UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in bytes.indices { bytes[index] = UInt8.random(in: .min ... .max, using: &random) }
    }
    return UUID(uuid: bytes)
  }
}
