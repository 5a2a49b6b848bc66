import { eq, inArray, or } from 'drizzle-orm'
import type { SignInTriesStore } from '../../ports/people-stores.js'
import type { Handle } from './handle.js'
import { lockRow } from './locks.js'
import { signInTries } from './people-schema.js'

export function makeSignInTriesStore(handle: Handle): SignInTriesStore {
  return {
    async lock(fresh) {
      await handle.insert(signInTries).values(fresh).onConflictDoNothing()
      return (await lockRow(handle, signInTries, eq(signInTries.key, fresh.key))) ?? fresh
    },

    async update({ key, ...tries }) {
      await handle.update(signInTries).set(tries).where(eq(signInTries.key, key))
    },

    async remove(key) {
      await handle.delete(signInTries).where(eq(signInTries.key, key))
    },

    removeAll: (key, personIds) =>
      handle
        .delete(signInTries)
        .where(or(eq(signInTries.key, key), inArray(signInTries.personId, [...personIds])))
        .returning(),
  }
}
