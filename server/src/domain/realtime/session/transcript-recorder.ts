import type { CustomEvent } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { storable } from '../../storable-text.js'
import { storedMessage } from '../transcript/segment-message.js'
import type { TranscriptEffect } from '../transcript/transcript.js'
import type { SessionLog } from './session-log.js'

/** Has what was said stored, and tells the client of it afterwards. */
export class TranscriptRecorder {
  readonly #session: RealtimeSessionRecord
  readonly #turns: SessionLog
  readonly #tell: (event: CustomEvent) => void

  constructor(session: RealtimeSessionRecord, turns: SessionLog, tell: (event: CustomEvent) => void) {
    this.#session = session
    this.#turns = turns
    this.#tell = tell
  }

  record(effects: readonly TranscriptEffect[]): void {
    for (const effect of effects) {
      if (effect.effect === 'interrupt')
        this.#turns.push({ kind: 'interrupt', itemId: storable(effect.itemId) })
      else {
        const message = storedMessage(this.#session, effect.segment)
        const announce = (id: string) => this.#announce(effect.announce, id, message)
        this.#turns.push({ kind: 'turn', message, announce })
      }
    }
  }

  #announce(what: 'message' | 'response' | null, id: string, { content, createdAt }: MessageRecord): void {
    const chatbotId = this.#session.agentId
    if (what === 'message')
      this.#tell({ type: 'message.created', data: { chatbotId, id, role: 'user', content, createdAt } })
    if (what === 'response') {
      this.#tell({ type: 'response.id', data: { chatbotId, id } })
      this.#tell({ type: 'response.completed', data: { chatbotId } })
    }
  }
}
