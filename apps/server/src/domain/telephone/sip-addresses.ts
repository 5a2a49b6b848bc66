/** Returns the user part of a SIP or tel URI, without escapes and parameters. Empty if there is none. */
export function userOf(uri: string): string {
  const [, withHost, ofTel] = /^(?:sips?:(.*)@|tel:(.*))/i.exec(uri) ?? []
  const [user = ''] = (withHost ?? ofTel ?? '').split(/[;:]/, 1)
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

/** The fewest digits of a national number. Shorter ones are extensions of an exchange. */
const minNationalDigits = 6
const international = /^\+[1-9]\d{6,14}$/

/** Removes separators. Exchanges may send numbers as people write them. */
function bareNumber(user: string): string {
  return user.replace(/[\s().-]/g, '')
}

/** Returns the digits that numbers must end with to be the called one, or null if it looks like no number. */
export function calledDigits(user: string): string | null {
  const digits = bareNumber(user).replace(/^(?:\+|0+)/, '')
  return /^\d+$/.test(digits) && digits.length >= minNationalDigits ? digits : null
}

/** Returns whether this is the called number: in international format with `+`, `00` or neither, or a national number. */
export function isCalled(number: string, user: string): boolean {
  const bare = bareNumber(user)
  if (bare.startsWith('+')) return number === bare
  if (bare.startsWith('00')) return number === `+${bare.slice(2)}`
  const digits = calledDigits(user)
  return digits !== null && number.endsWith(digits)
}

/** Names that can identify an end user. */
const printable = /^[\x21-\x7e]{1,64}$/

const anonymousUsers = new Set([
  '',
  'anonymous',
  'unknown',
  'unavailable',
  'restricted',
  'private',
  'withheld',
])

/**
 * Returns the caller's number in international format, another name such as an extension, or null for anonymous callers.
 * The provider sends numbers in the format in which it sent the called one: that tells which country a national number
 * belongs to.
 */
export function callerOf(
  from: string,
  called: { readonly user: string; readonly number: string },
): string | null {
  const user = userOf(from)
  if (anonymousUsers.has(user.toLowerCase()) || /@anonymous\.invalid\b/i.test(from)) return null
  if (!printable.test(user)) return null
  const bare = bareNumber(user)
  if (international.test(bare)) return bare
  if (!/^\d{7,17}$/.test(bare)) return user
  if (bare.startsWith('00')) return inInternationalFormat(`+${bare.slice(2)}`) ?? user
  const calledBare = bareNumber(called.user)
  if (bare.startsWith('0')) {
    const countryCode = called.number.endsWith(calledBare.slice(1))
      ? called.number.slice(0, called.number.length - calledBare.length + 1)
      : ''
    const isNational = /^0[1-9]/.test(calledBare) && countryCode.length > 1
    return (isNational && inInternationalFormat(`${countryCode}${bare.slice(1)}`)) || user
  }
  return (`+${calledBare}` === called.number && inInternationalFormat(`+${bare}`)) || user
}

function inInternationalFormat(number: string): string | null {
  return international.test(number) ? number : null
}
