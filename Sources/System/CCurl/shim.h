#pragma once

#include <curl/curl.h>

// Swift does not import variadic functions. These wrappers give each kind of option the form of an
// ordinary function, which the compiler checks.

/// Sets an option that is a number; returns CURLE_OK or an error code.
static inline CURLcode offshore_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/// Sets an option that is a text, which is copied; returns CURLE_OK or an error code.
static inline CURLcode offshore_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

/// Sets the body of a request, which is copied; returns CURLE_OK or an error code.
static inline CURLcode offshore_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

/// Sets the header fields of a request, which the caller has to retain; returns CURLE_OK or an
/// error code.
static inline CURLcode offshore_curl_set_fields(CURL *handle, struct curl_slist *fields) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
}

/// Sets the callbacks for each header field and each part of a body, and the object that they
/// receive.
static inline void offshore_curl_set_receivers(
  CURL *handle, curl_write_callback header, curl_write_callback part, void *receiver) {
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, receiver);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, part);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, receiver);
}

/// Sets the callback for each new socket, before it is connected; returns CURLE_OK or an error code.
static inline CURLcode offshore_curl_set_preparation(
  CURL *handle, curl_sockopt_callback prepare) {
  return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, prepare);
}

/// Returns the result of the transfer that a message of a multi handle reports as done.
static inline CURLcode offshore_curl_result(const CURLMsg *message) { return message->data.result; }

/// Returns the number of bytes that were sent or received: of bodies, and of the heads of answers.
static inline curl_off_t offshore_curl_moved(CURL *handle) {
  curl_off_t up = 0, down = 0;
  long head = 0;
  curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &up);
  curl_easy_getinfo(handle, CURLINFO_SIZE_DOWNLOAD_T, &down);
  curl_easy_getinfo(handle, CURLINFO_HEADER_SIZE, &head);
  return up + down + head;
}

/// Returns the status of an answer, or 0 before it has arrived.
static inline long offshore_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
