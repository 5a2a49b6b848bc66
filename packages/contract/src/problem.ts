import { z } from 'zod'

/** The error codes of the service, with their HTTP status. */
export const errorStatus = {
  InvalidRequest: 400,
  RealtimeNotEnabled: 400,
  RealtimeUnsupportedConnection: 400,
  RealtimeUnsupportedModel: 400,
  RealtimeAudioFormatUnsupported: 400,
  RealtimeSessionInvalid: 400,
  RealtimeSessionExpired: 400,
  RealtimeSessionAlreadyUsed: 400,
  InvitationInvalid: 400,
  OidcAttemptInvalid: 400,
  Unauthenticated: 401,
  SignInFailed: 401,
  SecondFactorRequired: 401,
  OidcRefused: 401,
  OidcTokenInvalid: 401,
  Forbidden: 403,
  CrossSiteRequest: 403,
  OidcEmailUnverified: 403,
  OidcPersonUnknown: 403,
  QuotaExceeded: 403,
  BudgetExceeded: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  ErasureInProgress: 409,
  LastManagingKey: 409,
  LastOwner: 409,
  NoPassword: 409,
  OidcAddressMismatch: 409,
  PreconditionFailed: 412,
  TooLarge: 413,
  UnsupportedMediaType: 415,
  ResponseSchemaNotMet: 422,
  UpgradeRequired: 426,
  RateLimited: 429,
  LimitReached: 429,
  Internal: 500,
  Unavailable: 503,
  Busy: 503,
  OidcUnavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

export const FieldError = z
  .object({
    path: z.string().describe('The path of the field, for example `tools[0].request.url`.'),
    message: z.string().describe('A description of the error, for example `is required`.'),
  })
  .meta({ id: 'FieldError', description: 'An invalid field of a request.' })

export type FieldError = z.infer<typeof FieldError>

/** The body of every error, sent as `application/problem+json`. */
export const Problem = z
  .object({
    status: z.int().describe('The HTTP status code.'),
    detail: z.string().describe('A human-readable description of the error, and of what to do next.'),
    errorCode: z.enum(errorCodes).describe('A stable, machine-readable error code.'),
    errors: z
      .array(FieldError)
      .optional()
      .describe('The invalid fields of the request. Omitted if there are none.'),
    limit: z
      .string()
      .optional()
      .describe(
        'The name of the limit that was reached: of the organization, for example `tasks`, or of the end user, for example `questionsPerMinute`.',
      ),
    budget: z
      .object({
        id: z.string().describe('The ID of the budget.'),
        name: z.string().describe('The name of the budget.'),
        resetsAt: z.string().describe('When the next budget period starts (UTC).'),
      })
      .optional()
      .describe('The budget that is used up.'),
    requestId: z.string().describe('The ID of the request, which also appears in the service log.'),
  })
  .meta({ id: 'Problem', description: 'The body of an error response.' })

export type Problem = z.infer<typeof Problem>
