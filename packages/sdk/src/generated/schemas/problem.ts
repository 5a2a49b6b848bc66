// Generated from the contract by `npm run generate`. Do not edit.

/** The body of an error response. */
export interface Problem {
  /** The HTTP status code. */
  status: number
  /** A human-readable description of the error, and of what to do next. */
  detail: string
  /** A stable, machine-readable error code. */
  errorCode: 'InvalidRequest' | 'RealtimeNotEnabled' | 'RealtimeUnsupportedConnection' | 'RealtimeUnsupportedModel' | 'RealtimeAudioFormatUnsupported' | 'RealtimeSessionInvalid' | 'RealtimeSessionExpired' | 'RealtimeSessionAlreadyUsed' | 'InvitationInvalid' | 'OidcAttemptInvalid' | 'Unauthenticated' | 'SignInFailed' | 'SecondFactorRequired' | 'OidcRefused' | 'OidcTokenInvalid' | 'Forbidden' | 'CrossSiteRequest' | 'OidcEmailUnverified' | 'OidcPersonUnknown' | 'QuotaExceeded' | 'BudgetExceeded' | 'NotFound' | 'MethodNotAllowed' | 'Conflict' | 'ErasureInProgress' | 'LastManagingKey' | 'LastOwner' | 'NoPassword' | 'OidcAddressMismatch' | 'PreconditionFailed' | 'TooLarge' | 'UnsupportedMediaType' | 'ResponseSchemaNotMet' | 'UpgradeRequired' | 'RateLimited' | 'LimitReached' | 'Internal' | 'Unavailable' | 'Busy' | 'OidcUnavailable'
  /** The invalid fields of the request. Omitted if there are none. */
  errors?: FieldError[] | undefined
  /**
   * The name of the limit that was reached: of the organization, for example `tasks`, or of the end user, for
   * example `questionsPerMinute`.
   */
  limit?: string | undefined
  /** The budget that is used up. */
  budget?: {
    /** The ID of the budget. */
    id: string
    /** The name of the budget. */
    name: string
    /** When the next budget period starts (UTC). */
    resetsAt: string
  } | undefined
  /** The ID of the request, which also appears in the service log. */
  requestId: string
}

/** An invalid field of a request. */
export interface FieldError {
  /** The path of the field, for example `tools[0].request.url`. */
  path: string
  /** A description of the error, for example `is required`. */
  message: string
}
