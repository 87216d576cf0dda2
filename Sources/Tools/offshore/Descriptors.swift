import Foundation

/// The limit of open files and connections of this process.
enum Descriptors {
  #if os(Linux)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  /// Raises the limit, as far as the system allows.
  /// - Returns: the new limit, or `wanted` if that is lower.
  static func raiseLimit(to wanted: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: min(limit.rlim_cur, rlim_t(wanted)))
  }
}
