import type { ConnectionKind } from '@parley/contract'
import { azureRecordings } from './expected/azure-recordings.js'
import { googleRecordings } from './expected/google-recordings.js'
import { openaiRecordings } from './expected/openai-recordings.js'
import { xaiRecordings } from './expected/xai-recordings.js'
import type { StoredSession } from './play-recording.js'

/** A row of the table: the kind of the provider, and what the database must hold after the session. */
export interface ExpectedRecording extends StoredSession {
  readonly kind: ConnectionKind
}

/** The recordings by the path of their file, without its ending. Their sources are in docs/reference/providers.md. */
export const expectedRecordings: Readonly<Record<string, ExpectedRecording>> = {
  ...azureRecordings,
  ...googleRecordings,
  ...openaiRecordings,
  ...xaiRecordings,
}
