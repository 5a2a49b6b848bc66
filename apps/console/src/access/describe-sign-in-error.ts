const text: Readonly<Record<string, string>> = {
  OidcPersonUnknown: 'No account uses this email address. Ask for an invitation first.',
  OidcEmailUnverified:
    'Your identity provider has not verified your email address. Ask for an invitation and accept it with single sign-on.',
  OidcAddressMismatch:
    'The invitation is for another email address, or your address belongs to another account.',
  OidcAttemptInvalid: 'The sign-in expired or was started in another browser. Try again.',
  OidcRefused: 'The identity provider denied the sign-in.',
  OidcTokenInvalid: 'The identity provider returned an invalid response. The service log has details.',
  OidcUnavailable: 'The identity provider is unavailable. Try again later.',
  InvitationInvalid: 'The link is no longer valid. Ask for a new one.',
  Conflict: 'You are already a member of this organization. Sign in instead.',
  QuotaExceeded: 'The organization has reached its member limit.',
}

/** Explains why signing in through the issuer failed. */
export function describeSignInError(code: string): string {
  return text[code] ?? `Sign-in failed (${code}).`
}
