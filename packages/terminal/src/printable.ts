const shortForms = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/**
 * Escapes control, format and line break characters. They could move the cursor, change the terminal, hide text or
 * change the writing direction. Foreign names and texts must be escaped before people read them.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return shortForms.get(character) ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`)
  })
}

/** Escapes a text line by line and keeps its line feeds. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')
