/** Why the provider ends a session, by its own reasons. */
export const closeDetails: Readonly<Record<string, string>> = {
  close_requested: 'The session was closed.',
  expired: 'The session has reached the maximum duration of the provider.',
  content: 'The provider ended the session because of its content.',
  remote_hangup: 'The caller has hung up.',
  connection_lost: 'The provider lost the connection.',
}
