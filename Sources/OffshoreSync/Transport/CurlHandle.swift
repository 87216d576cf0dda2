import CCurl
import Foundation
import OffshoreWire

/// What libcurl knows of one transfer. Only one thread uses it.
final class CurlHandle {
  /// What the library calls it.
  let pointer: UnsafeMutableRawPointer
  let transfer: Transfer
  private var head = AnswerHead()
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var moved: curl_off_t = 0
  /// When it was last seen to move.
  private(set) var lastMovement = ContinuousClock.now

  /// - Parameters:
  ///   - certificates: a file with those who are trusted to vouch for a server; the system's where `nil`.
  /// - Returns: `nil` where there is no memory for it.
  init?(_ transfer: Transfer, certificates: String?) {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    self.transfer = transfer
    let request = transfer.request
    set(CURLOPT_URL, request.url.absoluteString)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // A server on this machine is not looked for elsewhere.
    if request.url.isLoopback { set(CURLOPT_PROXY, "") }
    if let certificates { set(CURLOPT_CAINFO, certificates) }
    set(CURLOPT_ACCEPT_ENCODING, "gzip")
    // Signals are for the app.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FRESH_CONNECT, request.isOnce ? 1 : 0)
    setBody(request)
    setFields(request)
    offshore_curl_set_receivers(
      pointer, Self.headReceiver, Self.bodyReceiver, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(fields)
  }

  /// Looks whether anything has moved.
  func look(at now: ContinuousClock.Instant) {
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
      // An empty array need not have an address, and without one the library asks for a body.
      (body + [0]).withUnsafeBytes { bytes in
        _ = offshore_curl_set_body(pointer, bytes.baseAddress, curl_off_t(body.count))
      }
    }
    set(CURLOPT_CUSTOMREQUEST, request.method)
  }

  private func setFields(_ request: Transfer.Request) {
    // Bodies are not held back until the server asks for them: it decides by the head in any case.
    for line in ["Expect:"] + request.fields.map({ "\($0): \($1)" }) {
      fields = curl_slist_append(fields, line)
    }
    offshore_curl_set_fields(pointer, fields)
  }

  // MARK: - The answer

  private static let headReceiver: curl_write_callback = { bytes, size, count, handle in
    receive(bytes, size * count, handle) { handle, line in
      if handle.head.take(line) {
        handle.transfer.takeHead(status: handle.head.status, retryAfter: handle.head.retryAfter)
      }
      return true
    }
  }

  private static let bodyReceiver: curl_write_callback = { bytes, size, count, handle in
    receive(bytes, size * count, handle) { $0.transfer.take($1) }
  }

  /// - Returns: how many bytes were taken, or that the transfer is to end.
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
