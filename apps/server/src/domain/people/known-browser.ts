import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Cipher } from '../../ports/cipher.js'
import type { PersonRecord } from '../../ports/person-store.js'

const context = 'sign-in/browser'
const maxPeople = 5

const KnownBrowser = z.object({
  id: z.string(),
  people: z.array(z.object({ personId: z.string(), mark: z.string() })),
})

/**
 * A browser in which people have signed in. The browser keeps this sealed, so strangers leave no rows. It opens nothing: a
 * known browser only has wrong tries of its own, so strangers cannot lock its person out.
 */
export type KnownBrowser = z.output<typeof KnownBrowser>

/** Opens what a browser presents; null if it is not ours. */
export function openBrowser(cipher: Cipher, sealed: string | null): KnownBrowser | null {
  if (sealed === null) return null
  try {
    return KnownBrowser.parse(JSON.parse(cipher.open(sealed, context)))
  } catch {
    return null
  }
}

/** Whether the person has signed in from this browser with the password and the second factor of now. */
export function isKnownTo(browser: KnownBrowser, person: PersonRecord): boolean {
  return browser.people.some(({ personId, mark }) => personId === person.id && mark === markOf(person))
}

/** The browser after this person has signed in, sealed; as it was for people without a password. */
export function sealBrowser(
  cipher: Cipher,
  before: KnownBrowser | null,
  person: PersonRecord,
): string | null {
  if (person.passwordHash === null) return null
  const others = before?.people.filter(({ personId }) => personId !== person.id) ?? []
  const people = [{ personId: person.id, mark: markOf(person) }, ...others].slice(0, maxPeople)
  return cipher.seal(JSON.stringify({ id: before?.id ?? uuid(), people }), context)
}

/** Changes with the password and the second factor, so that whoever knew the earlier ones has no tries of their own. */
function markOf({ passwordHash, sealedTotp }: PersonRecord): string {
  return createHash('sha256').update(`${passwordHash} ${sealedTotp}`).digest('base64url').slice(0, 22)
}
