import CSandbox
import Glibc
import OffshoreImages

/// The limits that the process sets for itself before it reads an image.
///
/// An image that takes over a decoder can compute, and write bytes as the result. It cannot open a file
/// or a connection, start a process, or use more memory and time than this.
enum Sandbox {
  /// - Throws: ``ImageError/noSandbox`` if the system refuses a limit.
  static func enter() throws(ImageError) {
    volunteerForOutOfMemory()
    // A write to a file fails instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    let limits: [(resource: __rlimit_resource_t, value: rlim_t)] = [
      (__rlimit_resource_t(RLIMIT_AS.rawValue), 1 << 30),
      (__rlimit_resource_t(RLIMIT_CORE.rawValue), 0),
      (__rlimit_resource_t(RLIMIT_CPU.rawValue), 10),
      (__rlimit_resource_t(RLIMIT_FSIZE.rawValue), 0),
      (__rlimit_resource_t(RLIMIT_NOFILE.rawValue), rlim_t(STDERR_FILENO) + 1),
    ]
    for (resource, value) in limits { try limit(resource, to: value) }
    guard offshore_allow_computing_only() != 0 else { throw .noSandbox }
  }

  /// Lowers a limit. One that is already lower stays.
  private static func limit(
    _ resource: __rlimit_resource_t, to value: rlim_t
  ) throws(ImageError) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { throw .noSandbox }
    // NB: The signal of the first limit of processor time tells the reason. That of the second one
    // is `SIGKILL`.
    limit.rlim_max = min(value + 1, limit.rlim_max)
    limit.rlim_cur = min(value, limit.rlim_max)
    guard setrlimit(resource, &limit) == 0 else { throw .noSandbox }
  }

  /// If memory runs out, the system ends this process rather than the one that started it.
  private static func volunteerForOutOfMemory() {
    let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, "1000", 4)
    close(file)
  }
}
