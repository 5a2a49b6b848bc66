import { randomBytes } from 'node:crypto'

/** Returns an id in the protocol's form: a prefix for the kind, then random letters and digits. */
export function makeId(kind: 'event' | 'sess' | 'conv' | 'item' | 'resp' | 'call'): string {
  return `${kind}_${randomBytes(12).toString('base64url').replaceAll('-', 'a').replaceAll('_', 'b')}`
}
