import { randomBytes } from 'node:crypto'

/** Ids look like the protocol's: a word for the kind, then letters and digits nobody can guess. */
export function makeId(kind: 'event' | 'sess' | 'conv' | 'item' | 'resp' | 'call'): string {
  return `${kind}_${randomBytes(12).toString('base64url').replaceAll('-', 'a').replaceAll('_', 'b')}`
}
