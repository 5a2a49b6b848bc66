/** What clients may not send as they please, by the names that every such message holds. */
const guardedNames = /session\.update|function_call_output|approval\.(?:approve|reject)/i

const escapes = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|\r?\n|)/gi

/**
 * Whether a text that is no JSON names something guarded, in spellings that only a lenient reader knows: comments,
 * trailing commas, other quotes, something before or behind it.
 */
export function namesGuarded(text: string): boolean {
  const unescaped = text.replace(escapes, (_, unicode?: string, byte?: string) => {
    const digits = unicode ?? byte
    return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16))
  })
  return guardedNames.test(unescaped)
}
