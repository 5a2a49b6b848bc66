import { checkTranscripts } from './check-transcripts.js'
import type { ClientRecords } from './client-records.js'
import type { ExternalRecords } from './external-records.js'
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
import { judgeVoice } from './judge-voice.js'
import { judgeWork } from './judge-work.js'
import type { StoredRecords } from './stored-records.js'
import type { Violation } from './violation.js'

export interface AllRecords {
  readonly load: ClientRecords
  readonly outside: ExternalRecords
  readonly stored: StoredRecords
}

export function judge({ load, outside, stored }: AllRecords): readonly Violation[] {
  return [
    ...judgeVoice(load, stored),
    ...checkTranscripts(load, outside, stored),
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
