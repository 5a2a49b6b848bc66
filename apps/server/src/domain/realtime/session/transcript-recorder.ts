import type { CustomEvent } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { storable } from '../../storable-text.js'
import { segmentMessage } from '../transcript/segment-message.js'
import type { TranscriptEffect } from '../transcript/transcript.js'
import type { SessionLog } from './session-log.js'

/** Has what was said stored, and its events emitted afterwards. */
export class TranscriptRecorder {
  readonly #session: RealtimeSessionRecord
  readonly #log: SessionLog

  constructor(session: RealtimeSessionRecord, log: SessionLog) {
    this.#session = session
    this.#log = log
  }

  record(effects: readonly TranscriptEffect[]): void {
    for (const effect of effects) {
      if (effect.effect === 'interrupt') this.#log.markInterrupted(storable(effect.itemId))
      else {
        const message = segmentMessage(this.#session, effect.segment)
        void this.#log.append(message, this.#eventsOf(effect.announce, message))
      }
    }
  }

  #eventsOf(what: 'message' | 'response' | null, { id, content, createdAt }: MessageRecord): CustomEvent[] {
    const chatbotId = this.#session.agentId
    if (what === 'message')
      return [{ type: 'message.created', data: { chatbotId, id, role: 'user', content, createdAt } }]
    if (what === 'response')
      return [
        { type: 'response.id', data: { chatbotId, id } },
        { type: 'response.completed', data: { chatbotId } },
      ]
    return []
  }
}
