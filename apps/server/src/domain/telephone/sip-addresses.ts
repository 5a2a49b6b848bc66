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
const userName = /^[\w+.~*#-]{1,64}$/
const hostName = /^[a-z\d](?:[a-z\d.-]{0,98}[a-z\d])?$/

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
 * Returns the caller's number in international format, another name such as an extension as `sip:name@host`, or null for
 * anonymous callers. Callers choose their names, so a name alone could be the external ID of another end user.
 * The provider sends numbers in the format of the called one, which tells the country of a national number.
 */
export function callerOf(
  from: string,
  called: { readonly user: string; readonly number: string },
): string | null {
  const user = userOf(from)
  if (anonymousUsers.has(user.toLowerCase()) || /@anonymous\.invalid\b/i.test(from)) return null
  return internationalOf(bareNumber(user), called) ?? addressOf(user, from)
}

/** Returns the address of a caller who has no telephone number, or null if it is malformed. */
function addressOf(user: string, from: string): string | null {
  const [, host = ''] = /^sips?:.*@([^@:;?>\s]+)(?:[:;?].*)?$/.exec(from.toLowerCase()) ?? []
  return userName.test(user) && hostName.test(host) ? `sip:${user}@${host}` : null
}

/** Returns the number in international format, or null if it is none or nothing tells its country. */
function internationalOf(
  bare: string,
  called: { readonly user: string; readonly number: string },
): string | null {
  if (international.test(bare)) return bare
  if (!/^\d{7,17}$/.test(bare)) return null
  if (bare.startsWith('00')) return inInternationalFormat(`+${bare.slice(2)}`)
  const calledBare = bareNumber(called.user)
  if (bare.startsWith('0')) {
    const countryCode = called.number.endsWith(calledBare.slice(1))
      ? called.number.slice(0, called.number.length - calledBare.length + 1)
      : ''
    const isNational = /^0[1-9]/.test(calledBare) && countryCode.length > 1
    return isNational ? inInternationalFormat(`${countryCode}${bare.slice(1)}`) : null
  }
  return `+${calledBare}` === called.number ? inInternationalFormat(`+${bare}`) : null
}

function inInternationalFormat(number: string): string | null {
  return international.test(number) ? number : null
}
