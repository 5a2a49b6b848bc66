// Generated from the contract by `npm run generate`. What is changed here is lost.

/** An error answer. */
export interface Problem {
  /** The HTTP status, repeated. */
  status: number
  /** What went wrong and what to do next, for a person to read. */
  detail: string
  /** What went wrong, for a program to branch on. */
  errorCode: 'InvalidRequest' | 'RealtimeNotEnabled' | 'RealtimeUnsupportedConnection' | 'RealtimeUnsupportedModel' | 'RealtimeAudioFormatUnsupported' | 'RealtimeSessionInvalid' | 'RealtimeSessionExpired' | 'RealtimeSessionAlreadyUsed' | 'InvitationInvalid' | 'OidcAttemptInvalid' | 'Unauthenticated' | 'SignInFailed' | 'SecondFactorRequired' | 'OidcRefused' | 'OidcTokenInvalid' | 'Forbidden' | 'CrossSiteRequest' | 'OidcEmailUnverified' | 'OidcPersonUnknown' | 'QuotaExceeded' | 'BudgetExceeded' | 'NotFound' | 'MethodNotAllowed' | 'Conflict' | 'LastManagingKey' | 'LastOwner' | 'NoPassword' | 'OidcAddressMismatch' | 'PreconditionFailed' | 'TooLarge' | 'UnsupportedMediaType' | 'UpgradeRequired' | 'RateLimited' | 'LimitReached' | 'Internal' | 'Unavailable' | 'Busy' | 'OidcUnavailable'
  /** The single mistakes, where there are several places to look. */
  errors?: FieldError[] | undefined
  /** Which of the organization's limits was reached, where that is the error, for example `tasks`. */
  limit?: string | undefined
  /** Which budget is used up, where that is the error. */
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

/** One mistake in a request. */
export interface FieldError {
  /** Where the mistake is, for example `tools[0].request.url`. */
  path: string
  /** What is wrong there, for a person to read. */
  message: string
}
