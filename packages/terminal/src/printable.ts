const shortForms = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/**
 * Returns a text in which everything that moves the cursor, changes the terminal, breaks the line, turns the direction of
 * writing or cannot be seen stands as its escape. Names and texts of others go through it before people read them.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return shortForms.get(character) ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`)
  })
}

/** The same for a text whose line feeds are our own. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')
