import { type ErrorCode, errorStatus } from './problem.js'
import { type ClosedReason, closeCodes } from './realtime/close-codes.js'
import type { RefusalCode } from './realtime/service-error-event.js'

interface Explanation {
  readonly cause: string
  readonly remedy: string
}

const problems: Readonly<Record<ErrorCode, Explanation>> = {
  InvalidRequest: {
    cause: 'The path, the query, a header or the body is invalid.',
    remedy: 'Correct the fields that `errors` names.',
  },
  RealtimeNotEnabled: {
    cause: 'This deployment does not allow realtime sessions, or not in this mode.',
    remedy: 'Ask the operator to change `PARLEY_REALTIME_ENABLED` or `PARLEY_REALTIME_ACCESS_MODES`.',
  },
  RealtimeUnsupportedConnection: {
    cause: "The agent's connection cannot run realtime sessions.",
    remedy: 'Give the agent a connection with a realtime model.',
  },
  RealtimeUnsupportedModel: {
    cause: "The agent's connection does not offer its realtime model.",
    remedy: 'Set `realtimeModel` to a model that the connection lists.',
  },
  RealtimeAudioFormatUnsupported: {
    cause: 'The model does not support this audio format.',
    remedy: 'Ask for one of the formats that the error names.',
  },
  RealtimeSessionInvalid: {
    cause: 'The session token is unknown, or it belongs to another agent or conversation.',
    remedy: 'Create a new realtime session and use its address unchanged.',
  },
  RealtimeSessionExpired: {
    cause: 'The session token has expired.',
    remedy: 'Create a new realtime session and connect at once.',
  },
  RealtimeSessionAlreadyUsed: {
    cause: 'The session token was already used.',
    remedy: 'Create a new realtime session for each connection.',
  },
  InvitationInvalid: {
    cause: 'The invitation link was used, was withdrawn or has expired.',
    remedy: 'Ask for a new invitation.',
  },
  OidcAttemptInvalid: {
    cause: 'The sign-in was not started in this browser, was already completed, or took over ten minutes.',
    remedy: 'Start the sign-in again.',
  },
  Unauthenticated: {
    cause: 'The API key, session cookie or token is missing, unknown, expired or revoked.',
    remedy: 'Send a valid `X-Api-Key` with its `X-Org-Id`, or sign in again.',
  },
  SignInFailed: {
    cause: 'The email address and the password do not match, or there were too many attempts.',
    remedy: 'Try again. After ten wrong attempts, wait 15 minutes.',
  },
  SecondFactorRequired: {
    cause: 'The account has a second factor, and the code is missing or wrong.',
    remedy: 'Send the code of the authenticator app, or a recovery code, as `code`.',
  },
  OidcRefused: {
    cause: 'The identity provider rejected the sign-in.',
    remedy: 'Try again, or ask the administrator of the identity provider.',
  },
  OidcTokenInvalid: {
    cause: "The identity provider's token is invalid.",
    remedy: "Ask the operator to check the provider's settings and the clock.",
  },
  Forbidden: {
    cause: 'The caller lacks the scope, the role or the membership for this operation.',
    remedy: 'Use a key with the scope that the error names, or ask an owner for the role.',
  },
  CrossSiteRequest: {
    cause: 'A page of another site sent the request with the cookie of the console.',
    remedy: "Call the API from a backend with an API key, or open the console at the service's own address.",
  },
  OidcEmailUnverified: {
    cause: 'The identity provider has not verified the email address.',
    remedy: 'Verify the address with the identity provider, or ask for an invitation.',
  },
  OidcPersonUnknown: {
    cause: 'No member has the email address of the identity provider.',
    remedy: 'Ask an owner for an invitation.',
  },
  QuotaExceeded: {
    cause: 'The organization has reached the limit that `limit` names.',
    remedy: 'Delete some of them, or ask the operator for a higher limit.',
  },
  BudgetExceeded: {
    cause: 'The budget that `budget` names is used up.',
    remedy: 'Raise the budget, or wait until `budget.resetsAt`.',
  },
  NotFound: {
    cause: 'The resource does not exist, or it belongs to another organization.',
    remedy: 'Check the id and the organization.',
  },
  MethodNotAllowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use a method of the `Allow` header.',
  },
  Conflict: {
    cause: 'The request contradicts the current state of the resource.',
    remedy: 'Read the resource again. `detail` says what conflicts.',
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
    cause: 'The account signs in through an identity provider and has no password here.',
    remedy: 'Change the password and the second factor at the identity provider.',
  },
  OidcAddressMismatch: {
    cause: 'The email address of the identity provider is not the address of this account.',
    remedy: 'Sign in with the account that has this address.',
  },
  PreconditionFailed: {
    cause: 'The resource has changed since the version in `If-Match`.',
    remedy: 'Read it again and repeat the change.',
  },
  TooLarge: {
    cause: 'The body or the file is larger than the limit.',
    remedy: 'Send less. [Limits](limits.md) lists all sizes.',
  },
  UnsupportedMediaType: {
    cause: 'The operation does not accept this `Content-Type`.',
    remedy: 'Send `application/json`, or `multipart/form-data` for a file.',
  },
  UpgradeRequired: {
    cause: 'A plain HTTP request was sent to the address of a WebSocket.',
    remedy: 'Open the address as a WebSocket. The token was not used.',
  },
  RateLimited: {
    cause: 'The caller has sent too many requests.',
    remedy: 'Wait for the seconds in `Retry-After`.',
  },
  LimitReached: {
    cause:
      'Too many sessions, turns or calls of the organization run at the same time. `limit` names the limit.',
    remedy: 'Wait until some have ended, or ask the operator for a higher limit.',
  },
  Internal: {
    cause: 'The service failed.',
    remedy: 'Give the operator the `requestId`. The log has the cause.',
  },
  Unavailable: {
    cause: 'The database does not answer, or the instance is shutting down.',
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  Busy: {
    cause: 'Too much work waits for the database.',
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  OidcUnavailable: {
    cause: 'The identity provider does not answer.',
    remedy: 'Try again, or sign in with a password.',
  },
}

const closes: Readonly<Record<ClosedReason, Explanation>> = {
  client_left: { cause: 'The client ended the session.', remedy: 'Nothing to do.' },
  message_too_big: {
    cause: 'A message of the client was too large.',
    remedy: 'Send messages of at most 65536 bytes.',
  },
  internal: { cause: 'The service failed.', remedy: 'Create a new session in the same conversation.' },
  draining: {
    cause: 'The instance is shutting down.',
    remedy: 'Create a new session in the same conversation at once.',
  },
  max_duration: {
    cause: 'The session reached its maximum duration.',
    remedy: 'Create a new session in the same conversation.',
  },
  idle_timeout: {
    cause: 'No speech, message or tool call arrived for too long.',
    remedy: 'Create a new session when the user returns.',
  },
  provider_unavailable: {
    cause: 'The model provider could not be reached, or it rejected the session.',
    remedy: 'Try again later. `POST /api/v1/Connection/{id}/test` shows the cause.',
  },
  provider_closed: {
    cause: 'The model provider closed the connection.',
    remedy: 'Create a new session in the same conversation.',
  },
  slow_consumer: {
    cause: 'The client read too slowly, and the send buffer was full.',
    remedy: 'Read faster, or use a better network. Then create a new session.',
  },
  terminated: {
    cause: 'The backend or an operator ended the session, or the agent was deleted.',
    remedy: 'Do not reconnect automatically.',
  },
  budget_exceeded: {
    cause: 'The budget is used up.',
    remedy: 'Raise the budget, or wait for its next period.',
  },
}

const refusals: Readonly<Record<RefusalCode, Explanation>> = {
  approval_not_pending: {
    cause: 'The approval was already decided, or its tool call has ended.',
    remedy: 'Remove the question from the screen.',
  },
  approval_not_allowed: {
    cause: 'Staff decide on this call, not the user of the session.',
    remedy: 'Wait for `approval.decided`.',
  },
  approval_not_recorded: {
    cause: 'The decision could not be stored.',
    remedy: 'Send it again.',
  },
  session_update_not_allowed: {
    cause: 'The client sent `session.update`. The service configures the session.',
    remedy: "Change the agent, or give the client's own tools and instructions when you create the session.",
  },
  backend_tool_output_not_allowed: {
    cause: 'The client sent an output for a call of a backend tool.',
    remedy: "Send outputs only for calls of the client's own tools.",
  },
  function_call_not_allowed: {
    cause: 'The client created a function call. Only the model may do this.',
    remedy: 'Send messages and function call outputs only.',
  },
  invalid_message: {
    cause: 'The message is ambiguous: JSON parsers may read it differently.',
    remedy: 'Correct the field that the error names.',
  },
}

/** Returns docs/reference/errors.md. */
export function buildErrorReference(): string {
  const http = Object.entries(problems).map(
    ([code, { cause, remedy }]) =>
      `| \`${code}\` | ${errorStatus[code as ErrorCode]} | ${cause} | ${remedy} |`,
  )
  const closed = Object.entries(closes).map(
    ([reason, { cause, remedy }]) =>
      `| ${closeCodes[reason as ClosedReason]} | \`${reason}\` | ${cause} | ${remedy} |`,
  )
  const rejected = Object.entries(refusals).map(
    ([code, { cause, remedy }]) => `| \`${code}\` | ${cause} | ${remedy} |`,
  )
  return `# Errors

All error codes of Parley with their cause and remedy, for developers of clients and backends.
\`npm run generate\` writes this page from \`packages/contract/src/error-reference.ts\`.

## REST API

Every error is \`application/problem+json\`. \`errorCode\` is stable. \`detail\` is written for people and may change. \`errors\`
lists the invalid fields, and \`requestId\` finds the request in the service log.

| errorCode | status | cause | remedy |
|---|---|---|---|
${http.join('\n')}

## End of a realtime session

The service sends an \`error\` event with the reason as its \`code\`, and closes the WebSocket with the close code.

| close code | reason | cause | remedy |
|---|---|---|---|
${closed.join('\n')}

## Rejected messages of a realtime session

The session continues after these \`error\` events. \`error.type\` is \`service_error\`.

| code | cause | remedy |
|---|---|---|
${rejected.join('\n')}
`
}
