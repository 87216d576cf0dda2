import CCurl
import Foundation
import OffshoreWire

/// A transfer's handle in libcurl. It is used on one thread only.
final class CurlHandle {
  /// The handle of the library.
  let pointer: UnsafeMutableRawPointer
  let transfer: Transfer
  private var head = AnswerHead()
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var moved: curl_off_t = 0
  /// The last time at which progress was seen.
  private(set) var lastMovement = ContinuousClock.now

  /// Prepares a transfer.
  /// - Parameter certificates: the path of a file with the trusted certificate authorities, or
  ///   `nil` for those of the system.
  /// - Returns: `nil` if there is not enough memory.
  init?(_ transfer: Transfer, certificates: String?) {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    self.transfer = transfer
    let request = transfer.request
    set(CURLOPT_URL, request.url.absoluteString)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // A server on this machine is not reached through a proxy.
    if request.url.isLoopback { set(CURLOPT_PROXY, "") }
    if let certificates { set(CURLOPT_CAINFO, certificates) }
    set(CURLOPT_ACCEPT_ENCODING, "gzip")
    // Signals belong to the app.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FRESH_CONNECT, request.isOnce ? 1 : 0)
    offshore_curl_set_preparation(pointer, Self.limitUnsent)
    setBody(request)
    setFields(request)
    offshore_curl_set_receivers(
      pointer, Self.headReceiver, Self.bodyReceiver, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(fields)
  }

  /// Records the time if bytes have moved since the last call.
  func updateProgress(at now: ContinuousClock.Instant) {
    let moved = offshore_curl_moved(pointer)
    if moved != self.moved { (self.moved, lastMovement) = (moved, now) }
  }

  // MARK: - The request

  private func set(_ option: CURLoption, _ text: String) {
    offshore_curl_set_text(pointer, option, text)
  }

  private func set(_ option: CURLoption, _ number: Int) {
    offshore_curl_set_number(pointer, option, number)
  }

  private func setBody(_ request: Transfer.Request) {
    guard request.method != "GET" else { return }
    if let body = request.body {
      // An empty array may have no address. Without an address, the library would read the body
      // from a callback.
      (body + [0]).withUnsafeBytes { bytes in
        _ = offshore_curl_set_body(pointer, bytes.baseAddress, curl_off_t(body.count))
      }
    }
    set(CURLOPT_CUSTOMREQUEST, request.method)
  }

  private func setFields(_ request: Transfer.Request) {
    // An empty `Expect` makes the library send bodies at once. The server decides by the head in
    // any case.
    for line in ["Expect:"] + request.fields.map({ "\($0): \($1)" }) {
      fields = curl_slist_append(fields, line)
    }
    offshore_curl_set_fields(pointer, fields)
  }

  /// Limits the bytes that the system holds of a body without having sent them.
  ///
  /// Without a limit it accepts megabytes at once, and reports room again when a third of them has
  /// left. Over a slow link that takes minutes, which look like a lack of progress.
  private static let limitUnsent: curl_sockopt_callback = { _, socket, _ in
    var limit: Int32 = 32 << 10
    // A socket without this option works as before.
    _ = setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &limit, socklen_t(MemoryLayout<Int32>.size))
    return CURL_SOCKOPT_OK
  }

  // MARK: - The answer

  private static let headReceiver: curl_write_callback = { bytes, size, count, handle in
    receive(bytes, size * count, handle) { handle, line in
      if handle.head.parse(line) {
        handle.transfer.receiveHead(handle.head)
      }
      return true
    }
  }

  private static let bodyReceiver: curl_write_callback = { bytes, size, count, handle in
    receive(bytes, size * count, handle) { $0.transfer.receive($1) }
  }

  /// Passes received bytes to a closure.
  /// - Returns: the number of accepted bytes, or an error code that ends the transfer.
  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ handle: UnsafeMutableRawPointer?,
    _ body: (CurlHandle, [UInt8]) -> Bool
  ) -> Int {
    guard let handle else { return 0 }
    let part = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    let isTaken = body(Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue(), part)
    return isTaken ? count : Int(CURL_WRITEFUNC_ERROR)
  }
}
