import { type ErrorCode, errorStatus } from './problem.js'
import { type ClosedReason, closeCodes, type EndReason } from './realtime/close-codes.js'
import type { RejectionCode } from './realtime/service-error-event.js'

interface Explanation {
  readonly cause: string
  readonly remedy: string
}

const apiErrors: Readonly<Record<ErrorCode, Explanation>> = {
  InvalidRequest: {
    cause: 'The path, query, headers or body of the request are invalid.',
    remedy: 'Correct the fields that are listed in `errors`.',
  },
  RealtimeNotEnabled: {
    cause: 'Realtime sessions are disabled for this deployment, or for this access mode.',
    remedy: 'Ask the operator to change `PARLEY_REALTIME_ENABLED` or `PARLEY_REALTIME_ACCESS_MODES`.',
  },
  RealtimeUnsupportedConnection: {
    cause: 'The connection of the agent does not support realtime sessions.',
    remedy: 'Use an agent whose connection has a realtime model.',
  },
  RealtimeUnsupportedModel: {
    cause: 'The connection of the agent does not have the realtime model of the agent.',
    remedy: 'Set `realtimeModel` to one of the realtime models of the connection.',
  },
  RealtimeAudioFormatUnsupported: {
    cause: 'The requested audio format is not supported.',
    remedy: 'Request one of the formats that are listed in the error.',
  },
  RealtimeSessionInvalid: {
    cause: 'The session token is unknown, or it belongs to another agent or conversation.',
    remedy: 'Create a new realtime session, and use its `webSocketPath` unchanged.',
  },
  RealtimeSessionExpired: {
    cause: 'The session token has expired.',
    remedy: 'Create a new realtime session, and connect immediately.',
  },
  RealtimeSessionAlreadyUsed: {
    cause: 'The session token has already been used.',
    remedy: 'Create a new realtime session for each connection.',
  },
  InvitationInvalid: {
    cause: 'The invitation has already been accepted, was revoked or has expired.',
    remedy: 'Ask for a new invitation.',
  },
  OidcAttemptInvalid: {
    cause:
      'The sign-in was started in another browser, has already been completed, or took more than ten minutes.',
    remedy: 'Start the sign-in again.',
  },
  Unauthenticated: {
    cause: 'The API key, session cookie or token is missing, unknown, expired or revoked.',
    remedy: 'Send a valid `X-Api-Key` with its `X-Org-Id`, or sign in again.',
  },
  SignInFailed: {
    cause: 'The email address or password is incorrect, or there were too many failed attempts.',
    remedy: 'Try again. After ten failed attempts, wait 15 minutes.',
  },
  SecondFactorRequired: {
    cause: 'The account requires a second factor, and the code is missing or incorrect.',
    remedy: 'Send the code of the authenticator app, or a recovery code, as `code`.',
  },
  OidcRefused: {
    cause: 'The identity provider rejected the sign-in.',
    remedy: 'Try again, or ask the administrator of the identity provider.',
  },
  OidcTokenInvalid: {
    cause: 'The token of the identity provider is invalid.',
    remedy: 'Ask the operator to check the settings of the identity provider and the system clock.',
  },
  Forbidden: {
    cause: 'The caller lacks the scope, the role or the membership for this operation.',
    remedy: 'Use an API key with the scope that is named in the error, or ask an owner for another role.',
  },
  CrossSiteRequest: {
    cause: 'A page of another website sent the request with the session cookie.',
    remedy: 'Call the API from a backend with an API key, or open the console at the URL of the service.',
  },
  OidcEmailUnverified: {
    cause: 'The identity provider has not verified the email address.',
    remedy: 'Verify the email address with the identity provider, or ask for an invitation.',
  },
  OidcPersonUnknown: {
    cause: 'No member has the email address that the identity provider returned.',
    remedy: 'Ask an owner for an invitation.',
  },
  QuotaExceeded: {
    cause: 'The organization has reached the limit that is named in `limit`.',
    remedy: 'Delete some of the resources, or ask the operator for a higher limit.',
  },
  BudgetExceeded: {
    cause: 'The budget that is named in `budget` is used up.',
    remedy: 'Increase the budget, or wait until `budget.resetsAt`.',
  },
  NotFound: {
    cause: 'The resource does not exist, or it belongs to another organization.',
    remedy: 'Check the ID of the resource and the `X-Org-Id` header.',
  },
  MethodNotAllowed: {
    cause: 'The path does not support this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  Conflict: {
    cause: 'The request conflicts with the current state of the resource.',
    remedy: 'Retrieve the resource again. `detail` describes the conflict.',
  },
  ErasureInProgress: {
    cause: 'The data of this end user is being erased.',
    remedy:
      'Send the request again when `GET /api/v1/EndUser/{endUserId}` returns 404. It then creates a new end user.',
  },
  LastManagingKey: {
    cause: 'This is the last API key that can manage the organization.',
    remedy: 'Create another key with the scope `org:manage` first.',
  },
  LastOwner: {
    cause: 'This is the last owner of the organization.',
    remedy: 'Make another member an owner first.',
  },
  NoPassword: {
    cause: 'The user signs in with an identity provider and has no password in Parley.',
    remedy: 'Change the password and the second factor in the account at the identity provider.',
  },
  OidcAddressMismatch: {
    cause: 'The identity provider returned an email address that differs from the address of the account.',
    remedy: 'Sign in with the account that has this email address.',
  },
  PreconditionFailed: {
    cause: 'The resource has changed since the version in `If-Match`.',
    remedy: 'Retrieve the resource again, and repeat the update.',
  },
  TooLarge: {
    cause: 'The request body or the file is larger than the limit.',
    remedy: 'Send less data. See [Limits](limits.md).',
  },
  UnsupportedMediaType: {
    cause: 'The operation does not support this `Content-Type`.',
    remedy: 'Send `application/json`, or `multipart/form-data` for a file.',
  },
  ResponseSchemaNotMet: {
    cause: "The model's answer did not match `responseSchema`, even after one correction.",
    remedy:
      'Simplify the schema, describe its properties, or use another model. The answer is in the conversation.',
  },
  UpgradeRequired: {
    cause: 'A plain HTTP request was sent to a WebSocket URL.',
    remedy: 'Open the URL as a WebSocket. The token has not been consumed.',
  },
  RateLimited: {
    cause: 'The caller has sent too many requests.',
    remedy: 'Wait for the number of seconds in the `Retry-After` header.',
  },
  LimitReached: {
    cause:
      'The organization has too many concurrent sessions, turns or calls. `limit` contains the name of the limit.',
    remedy: 'Wait until some of them have ended, or ask the operator for a higher limit.',
  },
  Internal: {
    cause: 'An internal error occurred.',
    remedy: 'Contact the operator with the `requestId`. The service log contains the cause.',
  },
  Unavailable: {
    cause:
      'The service cannot handle the request now, for example because the database is not responding or the instance is shutting down. For a question: the model failed permanently.',
    remedy:
      'Try again after the number of seconds in the `Retry-After` header. Without this header, `detail` describes the cause.',
  },
  Busy: {
    cause: 'Too many requests are waiting for the database.',
    remedy: 'Try again after the number of seconds in the `Retry-After` header.',
  },
  OidcUnavailable: {
    cause: 'The identity provider is not responding.',
    remedy: 'Try again, or sign in with a password.',
  },
}

const endReasons: Readonly<Record<ClosedReason, Explanation>> = {
  client_left: { cause: 'The client ended the session.', remedy: 'No action is required.' },
  message_too_big: {
    cause: 'The client sent a message that is too large.',
    remedy: 'Send smaller messages. `PARLEY_REALTIME_MAX_MESSAGE_BYTES` (65536 by default) is the limit.',
  },
  internal: {
    cause: 'An internal error occurred.',
    remedy: 'Create a new session in the same conversation.',
  },
  draining: {
    cause: 'The instance is shutting down.',
    remedy: 'Create a new session in the same conversation immediately.',
  },
  max_duration: {
    cause: 'The session reached its maximum duration.',
    remedy: 'Create a new session in the same conversation.',
  },
  idle_timeout: {
    cause:
      'No frame passed in either direction during the idle timeout, while no response, tool call or approval was in progress.',
    remedy: 'Create a new session when the user returns.',
  },
  provider_unavailable: {
    cause: 'The model provider is not reachable, or it rejected the session.',
    remedy: 'Try again later. Use `POST /api/v1/Connection/{connectionId}/test` to find the cause.',
  },
  provider_closed: {
    cause: 'The model provider closed the connection.',
    remedy: 'Create a new session in the same conversation.',
  },
  slow_consumer: {
    cause: 'The client read messages too slowly, and the send buffer is full.',
    remedy: 'Read messages faster or use a better network, and create a new session.',
  },
  terminated: {
    cause: 'The session was ended through the API or by the operator, or the agent was deleted.',
    remedy: 'Do not reconnect automatically.',
  },
  budget_exceeded: {
    cause: 'A budget or a daily limit of the end user is used up.',
    remedy: 'Increase it, or wait for its next period.',
  },
}

const silentEndReasons: Readonly<Record<Exclude<EndReason, ClosedReason>, Explanation>> = {
  client_lost: {
    cause: 'The client did not respond to pings, or its connection broke.',
    remedy: 'Create a new session in the same conversation.',
  },
  instance_lost: {
    cause: 'The instance of the session crashed, or it lost contact with the database.',
    remedy: 'Create a new session in the same conversation.',
  },
  refused: {
    cause: 'The service consumed the token, but then rejected the connection.',
    remedy: 'Read the HTTP response to the handshake, which contains the error.',
  },
}

const rejections: Readonly<Record<RejectionCode, Explanation>> = {
  approval_not_pending: {
    cause: 'The tool call has already been approved or rejected, or it has ended.',
    remedy: 'Stop asking the user for a decision.',
  },
  approval_not_allowed: {
    cause: 'Only staff can approve or reject this call, not the user of the session.',
    remedy: 'Wait for the decision.',
  },
  approval_not_recorded: {
    cause: 'The decision could not be stored.',
    remedy: 'Send it again.',
  },
  session_update_not_allowed: {
    cause: 'The client sent `session.update`. Only the service configures the session.',
    remedy: 'Change the agent, or send client tools and instructions when you create the session.',
  },
  backend_tool_output_not_allowed: {
    cause: 'The client sent the output of a backend tool.',
    remedy: 'Only send the outputs of client tools.',
  },
  function_call_not_allowed: {
    cause: 'The client created a function call. Only the model can do this.',
    remedy: 'Only send messages and function call outputs.',
  },
  invalid_message: {
    cause: 'The message is ambiguous, because JSON parsers may interpret it differently.',
    remedy: 'Correct the field that is named in the error.',
  },
  item_of_former_provider: {
    cause: 'The session has moved to another model, which does not know the item under this ID.',
    remedy: 'Drop the IDs of items that existed before `session.provider_changed`.',
  },
}

/** Returns docs/reference/errors.md. */
export function buildErrorReference(): string {
  const http = Object.entries(apiErrors).map(
    ([code, { cause, remedy }]) =>
      `| \`${code}\` | ${errorStatus[code as ErrorCode]} | ${cause} | ${remedy} |`,
  )
  const closed = Object.entries(endReasons).map(
    ([reason, { cause, remedy }]) =>
      `| ${closeCodes[reason as ClosedReason]} | \`${reason}\` | ${cause} | ${remedy} |`,
  )
  const silent = Object.entries(silentEndReasons).map(
    ([reason, { cause, remedy }]) => `| \`${reason}\` | ${cause} | ${remedy} |`,
  )
  const rejected = Object.entries(rejections).map(
    ([code, { cause, remedy }]) => `| \`${code}\` | ${cause} | ${remedy} |`,
  )
  return `# Errors

The error codes of Parley with their cause and remedy, for developers of clients and backends.
This page is generated from \`packages/contract/src/error-reference.ts\` by \`npm run generate\`.

## REST API

Errors are returned as \`application/problem+json\`. \`errorCode\` is stable. \`detail\` is a human-readable description that may change. \`errors\`
lists the invalid fields. \`requestId\` identifies the request in the service log.

| Error code | Status | Cause | Remedy |
|---|---|---|---|
${http.join('\n')}

## End reasons of realtime sessions

When a session ends, the service sends an \`error\` event with the reason as its \`code\`. It then closes the WebSocket with the
close code.

| Close code | Reason | Cause | Remedy |
|---|---|---|---|
${closed.join('\n')}

These reasons are stored as \`endReason\` of the session, but the client receives no event, because it is not connected:

| Reason | Cause | Remedy |
|---|---|---|
${silent.join('\n')}

## Rejected messages in realtime sessions

The service rejects a client message with an \`error\` event whose \`error.type\` is \`service_error\`. The session continues.

| Code | Cause | Remedy |
|---|---|---|
${rejected.join('\n')}
`
}
