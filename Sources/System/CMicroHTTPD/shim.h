#pragma once

#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <string.h>

// Swift does not import variadic functions, and starting a daemon requires options of mixed types
// in one list. These wrappers give each call the form of an ordinary function, which the compiler
// checks.

/// The limits of a daemon; 0 means no limit.
struct offshore_mhd_limits {
  unsigned int connections;
  unsigned int connections_per_address;
  unsigned int idle_seconds;
  unsigned int threads;
  size_t memory_per_connection;
};

/// A certificate with its chain, and its key, both in PEM; NULL for no encryption.
struct offshore_mhd_tls {
  const char *certificates;
  const char *key;
};

/// Called when a request line has arrived; returns the context of the request.
typedef void *(*offshore_mhd_target_callback)(
  void *context, const char *target, struct MHD_Connection *connection);

/// The callbacks of a daemon, which it calls on its own threads.
struct offshore_mhd_callbacks {
  MHD_AcceptPolicyCallback accepts;
  MHD_AccessHandlerCallback accessed;
  offshore_mhd_target_callback target_received;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection_changed;
};

/// Leaves targets as they were sent.
static size_t offshore_mhd_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

/// Starts a daemon on a listening socket; returns NULL if that fails.
static inline struct MHD_Daemon *offshore_mhd_start(
  unsigned int flags, int listener, struct offshore_mhd_limits limits,
  struct offshore_mhd_callbacks callbacks, struct offshore_mhd_tls tls, void *context) {
  return MHD_start_daemon(
    flags, 0, callbacks.accepts, context, callbacks.accessed, context,
    MHD_OPTION_LISTEN_SOCKET, listener,
    MHD_OPTION_CONNECTION_LIMIT, limits.connections,
    MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_per_address,
    MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory_per_connection,
    MHD_OPTION_THREAD_POOL_SIZE, limits.threads,
    MHD_OPTION_STRICT_FOR_CLIENT, 1,
    MHD_OPTION_UNESCAPE_CALLBACK, &offshore_mhd_keep, NULL,
    MHD_OPTION_URI_LOG_CALLBACK, callbacks.target_received, context,
    MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, context,
    MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection_changed, context,
    tls.key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, tls.key,
    MHD_OPTION_HTTPS_MEM_CERT, tls.certificates,
    MHD_OPTION_HTTPS_PRIORITIES, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2",
    MHD_OPTION_END);
}

/// Returns the socket of a connection, or -1.
static inline int offshore_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// Returns the address of the client, or NULL.
static inline const struct sockaddr *offshore_mhd_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/// Returns the context that was stored for a connection when it began.
static inline void *offshore_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// Returns the number of bytes of the request line and the headers.
static inline size_t offshore_mhd_header_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

/// Returns whether a key belongs to a certificate, so that a daemon can start with them.
static inline int offshore_tls_fits(struct offshore_mhd_tls tls) {
  gnutls_certificate_credentials_t credentials;
  if (gnutls_certificate_allocate_credentials(&credentials) != GNUTLS_E_SUCCESS) return 0;
  gnutls_datum_t certificates = {(unsigned char *)tls.certificates, (unsigned)strlen(tls.certificates)};
  gnutls_datum_t key = {(unsigned char *)tls.key, (unsigned)strlen(tls.key)};
  int result = gnutls_certificate_set_x509_key_mem(
    credentials, &certificates, &key, GNUTLS_X509_FMT_PEM);
  gnutls_certificate_free_credentials(credentials);
  return result >= 0;
}

/// Sends bytes over an encrypted connection without the daemon, and ends the direction to the
/// client; returns 0 if the connection is not encrypted. Call it only within a callback for the
/// connection.
static inline int offshore_mhd_send_encrypted(
  struct MHD_Connection *connection, const void *bytes, size_t count) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (!info || !info->tls_session) return 0;
  gnutls_session_t session = (gnutls_session_t)info->tls_session;
  gnutls_record_send(session, bytes, count);
  gnutls_bye(session, GNUTLS_SHUT_WR);
  return 1;
}
