const words: Readonly<Record<string, string>> = {
  OidcPersonUnknown: 'Nobody here has that address. Ask for an invitation first.',
  OidcEmailUnverified:
    'The issuer does not vouch for your address. Ask for an invitation, and accept it this way.',
  OidcAddressMismatch:
    'The invitation is for another address, or your address belongs to another account here.',
  OidcAttemptInvalid: 'That took too long, or was done in another browser. Try again.',
  OidcRefused: 'The issuer said no.',
  OidcTokenInvalid: 'What the issuer said does not hold. The operator finds more in the log.',
  OidcUnavailable: 'The issuer cannot be reached just now. Try again in a moment.',
  InvitationInvalid: 'The link does not work any more. Ask for another one.',
  Conflict: 'You are a member of this organization already: sign in.',
  QuotaExceeded: 'The organization has as many members as it may.',
}

/** Explains why signing in through the issuer failed. */
export function refusalWords(code: string): string {
  return words[code] ?? `Signing in did not work (${code}).`
}
