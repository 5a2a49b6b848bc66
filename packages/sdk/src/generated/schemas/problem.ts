// Generated from the contract by `npm run generate`. What is changed here is lost.

/** An error. */
export interface Problem {
  /** The HTTP status. */
  status: number
  /** What went wrong and what to do next. */
  detail: string
  /** The code of the error, for programs. */
  errorCode: 'InvalidRequest' | 'RealtimeNotEnabled' | 'RealtimeUnsupportedConnection' | 'RealtimeUnsupportedModel' | 'RealtimeAudioFormatUnsupported' | 'RealtimeSessionInvalid' | 'RealtimeSessionExpired' | 'RealtimeSessionAlreadyUsed' | 'InvitationInvalid' | 'OidcAttemptInvalid' | 'Unauthenticated' | 'SignInFailed' | 'SecondFactorRequired' | 'OidcRefused' | 'OidcTokenInvalid' | 'Forbidden' | 'CrossSiteRequest' | 'OidcEmailUnverified' | 'OidcPersonUnknown' | 'QuotaExceeded' | 'BudgetExceeded' | 'NotFound' | 'MethodNotAllowed' | 'Conflict' | 'LastManagingKey' | 'LastOwner' | 'NoPassword' | 'OidcAddressMismatch' | 'PreconditionFailed' | 'TooLarge' | 'UnsupportedMediaType' | 'UpgradeRequired' | 'RateLimited' | 'LimitReached' | 'Internal' | 'Unavailable' | 'Busy' | 'OidcUnavailable'
  /** The invalid fields, if there are any. */
  errors?: FieldError[] | undefined
  /** The limit of the organization that was reached, for example `tasks`. */
  limit?: string | undefined
  /** The budget that is used up. */
  budget?: {
    /** Its id. */
    id: string
    /** Its name. */
    name: string
    /** When its next period begins (UTC). */
    resetsAt: string
  } | undefined
  /** The id of this request, as in the service log. */
  requestId: string
}

/** One invalid field of a request. */
export interface FieldError {
  /** The path of the field, for example `tools[0].request.url`. */
  path: string
  /** What is wrong with the field. */
  message: string
}
