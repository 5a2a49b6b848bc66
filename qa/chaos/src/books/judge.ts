import type { BrokenPromise } from './broken-promise.js'
import { judgeCalls } from './judge-calls.js'
import {
  judgeAnswers,
  judgeApprovals,
  judgeAudits,
  judgeFiles,
  judgeLeftovers,
  judgeSessions,
  judgeWebhooks,
} from './judge-rest.js'
import { judgeSaid } from './judge-said.js'
import { judgeVoice } from './judge-voice.js'
import { judgeWork } from './judge-work.js'
import type { LoadBooks } from './load-books.js'
import type { OutsideBooks } from './outside-books.js'
import type { StoredBooks } from './stored-books.js'

export interface AllBooks {
  readonly load: LoadBooks
  readonly outside: OutsideBooks
  readonly stored: StoredBooks
}

/** Returns all broken promises. */
export function judge({ load, outside, stored }: AllBooks): readonly BrokenPromise[] {
  return [
    ...judgeVoice(load, stored),
    ...judgeSaid(load, outside, stored),
    ...judgeCalls(outside, stored),
    ...judgeApprovals(load, outside, stored),
    ...judgeSessions(stored),
    ...judgeWork(load, stored),
    ...judgeFiles(load, stored),
    ...judgeWebhooks(outside, stored),
    ...judgeAudits(stored),
    ...judgeAnswers(load),
    ...judgeLeftovers(stored),
  ]
}
