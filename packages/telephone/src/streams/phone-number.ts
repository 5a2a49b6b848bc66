/** Returns the caller's number as E.164, another address unchanged, or null if it is withheld. */
export function readCaller(text: string | null | undefined): string | null {
  if (!text) return null
  if (/^\+?[1-9]\d{4,14}$/.test(text)) return text.startsWith('+') ? text : `+${text}`
  return /^(?:sips?|client):\S/.test(text) ? text : null
}

/** Numbers without `+`, as Plivo and Vonage take them. */
export const withoutPlus = (number: string) => number.replace(/^\+/, '')

export const isSipAddress = (address: string) => /^sips?:/.test(address)
