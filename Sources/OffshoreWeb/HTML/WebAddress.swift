/// Judges addresses before they become part of a page.
package enum WebAddress {
  /// The address by which the pages of an app link to the list of all apps of its device.
  package static let apps = "/live/apps"

  /// What a refused address becomes; browsers do nothing with it.
  static let refused = "about:invalid"

  /// The schemes that pages link to. Any other might run a script, as `javascript:` and `data:` do.
  private static let schemes: Set<String> = ["http", "https", "mailto", "tel"]

  /// Whether an address is one of the app's own pages: a path, and not one that all apps of a device share.
  package static func isOfApp(_ address: String) -> Bool {
    // NB: Browsers take a backslash for a slash, and skip tabs and newlines.
    address.hasPrefix("/") && !address.hasPrefix("//")
      && !address.utf8.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
      && !["/assets/", "/live/"].contains { address.hasPrefix($0) }
  }

  /// The address, or ``refused`` where it has another scheme than those that are safe to follow.
  ///
  /// NB: Browsers skip control characters and spaces before a scheme, and tabs and newlines in it.
  static func safe(_ address: String) -> String {
    var scheme: [UInt8] = []
    for byte in address.utf8 where byte > 0x20 && byte != 0x7F {
      switch byte {
      case UInt8(ascii: ":"):
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        return schemes.contains(name) ? address : refused
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return address
      default: scheme.append(byte)
      }
    }
    return address
  }
}
