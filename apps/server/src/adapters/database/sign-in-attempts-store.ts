import { eq, inArray, or } from 'drizzle-orm'
import type { SignInAttemptsStore } from '../../ports/people-stores.js'
import type { Handle } from './handle.js'
import { lockRow } from './locks.js'
import { signInAttempts } from './people-schema.js'

export function makeSignInAttemptsStore(handle: Handle): SignInAttemptsStore {
  return {
    async lock(fresh) {
      await handle.insert(signInAttempts).values(fresh).onConflictDoNothing()
      return (await lockRow(handle, signInAttempts, eq(signInAttempts.key, fresh.key))) ?? fresh
    },

    async update({ key, ...tries }) {
      await handle.update(signInAttempts).set(tries).where(eq(signInAttempts.key, key))
    },

    async remove(key) {
      await handle.delete(signInAttempts).where(eq(signInAttempts.key, key))
    },

    removeAll: (key, personIds) =>
      handle
        .delete(signInAttempts)
        .where(or(eq(signInAttempts.key, key), inArray(signInAttempts.personId, [...personIds])))
        .returning(),
  }
}
