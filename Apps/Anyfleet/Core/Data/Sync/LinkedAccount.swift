import Foundation
import Offshore

/// The account that a device's data belongs to, as it is kept.
struct LinkedAccount: Hashable, Codable, Sendable {
  let id: UUID
  let name: String
  /// The origin of the server that has the account.
  var server: String?
}

extension LinkedAccount {
  private static let setting = "account"
  private static let tokenSetting = "accountToken"

  /// The account that the file belongs to, if it belongs to one; without one nothing is captured.
  static func kept(_ reader: Reader) throws -> LinkedAccount? {
    guard let kept = try Setting.find(setting).one(reader) else { return nil }
    guard let account = try? JSONDecoder().decode(Self.self, from: Data(kept.value.utf8)) else {
      throw RepositoryError.serializationFailed(row: kept.name, column: "value")
    }
    return account
  }

  /// Whether the file belongs to an account.
  static func isKept(_ reader: Reader) throws -> Bool { try Setting.find(setting).exists(reader) }

  /// Keeps that the file belongs to the account.
  func keep(_ writer: Writer) throws {
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try Setting(name: Self.setting, value: text).save(writer)
  }

  /// What lets the device in, if anything does.
  static func token(_ reader: Reader) throws -> String? {
    try Setting.find(tokenSetting).one(reader)?.value
  }

  /// Keeps what lets the device in, or that nothing does.
  static func keep(token: String?, _ writer: Writer) throws {
    if let token {
      try Setting(name: tokenSetting, value: token).save(writer)
    } else {
      try Setting.find(tokenSetting).delete(writer)
    }
  }
}
