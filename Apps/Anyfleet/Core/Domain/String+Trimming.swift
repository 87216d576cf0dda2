import Foundation

extension String {
  /// The text without space around it.
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

  /// The text without space around it, or `nil` where nothing is left.
  var trimmedOrNil: String? { trimmed.isEmpty ? nil : trimmed }
}
