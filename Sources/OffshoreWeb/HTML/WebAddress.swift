/// The validation of addresses before they become part of a page.
package enum WebAddress {
  /// The address of the list of all apps of a device, to which the pages of an app link.
  package static let apps = "/live/apps"

  /// The replacement for a refused address, which browsers ignore.
  static let refused = "about:invalid"

  /// The schemes that pages may link to. Others could run a script, as `javascript:` and `data:`
  /// do.
  private static let schemes: Set<String> = ["http", "https", "mailto", "tel"]

  /// Returns whether an address is one of the app's own pages: a path that is not shared by all
  /// apps.
  package static func isOfApp(_ address: String) -> Bool {
    // NB: Browsers interpret a backslash as a slash, and ignore tabs and newlines.
    address.hasPrefix("/") && !address.hasPrefix("//")
      && !address.utf8.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
      && !["/assets/", "/live/"].contains { address.hasPrefix($0) }
  }

  /// Returns the address, or ``refused`` if its scheme is not safe to follow.
  ///
  /// NB: Browsers ignore control characters and spaces before a scheme, and tabs and newlines in
  /// it.
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
