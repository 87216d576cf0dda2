import Foundation
import OffshoreWire

extension HTTPTransport: FileTransport {
  func send(
    _ part: [UInt8], at offset: Int, of length: Int, _ hash: ContentHash, to scope: ScopeID,
    token: String
  ) async throws(SyncEngine.Failure) -> SentPart {
    var request = request(
      "PUT", "v1/blobs/\(hash)", query: [URLQueryItem(name: "scope", value: scope.text)],
      token: token)
    request.body = part
    request.fields["Content-Type"] = "application/octet-stream"
    request.fields["Upload-Offset"] = "\(offset)"
    request.fields["Upload-Length"] = "\(length)"
    let (transfer, bytes) = try await answer(to: request)
    switch transfer.status {
    case 200, 201: return .stored
    case 202, 409:
      guard let count = transfer.head.fields["upload-offset"].flatMap({ Int($0) }) else {
        throw transfer.failure(bytes)
      }
      return .received(count)
    case 403, 404, 413, 422, 507:
      let failure = ServerClient.Failure(
        Answer(status: transfer.status, bytes: bytes, retryAfter: nil))
      // A proxy that does not accept the part may accept a smaller one.
      guard failure.code != .server else { throw transfer.failure(bytes) }
      return .refused(code: failure.code.rawValue)
    default: throw transfer.failure(bytes)
    }
  }

  func fetch(
    _ range: Range<Int>, of hash: ContentHash, token: String
  ) async throws(SyncEngine.Failure) -> FetchedPart {
    var request = request("GET", "v1/blobs/\(hash)", token: token)
    request.fields["Range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
    let (transfer, bytes) = try await answer(to: request)
    switch transfer.status {
    case 200 where range.lowerBound == 0: return .part(bytes, of: bytes.count)
    case 206, 416:
      guard let length = transfer.head.contentLength else { throw transfer.failure(bytes) }
      return .part(transfer.status == 206 ? bytes : [], of: length)
    case 404: return .missing
    default: throw transfer.failure(bytes)
    }
  }
}

extension AnswerHead {
  /// The number of bytes of the whole content, from the field `Content-Range`.
  fileprivate var contentLength: Int? {
    fields["content-range"]?.split(separator: "/").last.flatMap { Int($0) }
  }
}
