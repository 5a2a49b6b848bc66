import { invalidRequest } from '../domain-error.js'

const maxNameLength = 255
const controlCharacter = /\p{Cc}/u

/** A name that can be shown and stored. */
export function requireFileName(name: string): string {
  const trimmed = name.trim()
  const mistake = mistakeIn(trimmed)
  if (mistake !== null) throw invalidRequest([{ path: 'file', message: mistake }])
  return trimmed
}

function mistakeIn(name: string): string | null {
  if (name === '') return 'needs a file name'
  if (name.length > maxNameLength) return `has a name of more than ${maxNameLength} characters`
  return controlCharacter.test(name) || !name.isWellFormed()
    ? 'has a name with characters that cannot be shown'
    : null
}
