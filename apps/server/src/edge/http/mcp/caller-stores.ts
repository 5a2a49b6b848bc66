import type { Caller, CallerScope } from '../../../domain/caller-scope.js'
import type { Database } from '../../../ports/database.js'

/** How tools reach the database: in turn with the other calls of their organization, like every call of the API. */
export function makeCallerStores(database: Database) {
  return {
    read: <Result>(caller: Caller, work: (scope: CallerScope) => Promise<Result>): Promise<Result> =>
      database.runFairly({ organizationId: caller.organizationId, kind: 'call' }, () =>
        work({ stores: database.stores, caller }),
      ),

    /** One transaction, together with its audit records. */
    write: <Result>(caller: Caller, work: (scope: CallerScope) => Promise<Result>): Promise<Result> =>
      database.runFairly({ organizationId: caller.organizationId, kind: 'call' }, () =>
        database.transaction((stores) => work({ stores, caller })),
      ),

    /** For work that does more than ask the database: each of its statements takes its turn. */
    scopeOf: (caller: Caller): CallerScope => ({
      stores: database.ownedBy({ organizationId: caller.organizationId, kind: 'call' }).stores,
      caller,
    }),
  }
}
