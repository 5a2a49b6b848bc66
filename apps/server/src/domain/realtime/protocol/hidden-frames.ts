import { isServiceEventId } from '../../../ports/realtime-provider.js'
import { typeAtStart } from './audio-frames.js'
import { type Fields, isObject, objectField, parseJson, textField } from './json-fields.js'

const echoTypes: ReadonlySet<string> = new Set([
  'conversation.item.added',
  'conversation.item.created',
  'conversation.item.done',
])

/** The code of the error that precedes the end of a provider's session. */
const expiredCode = 'session_expired'

/**
 * The frames of a later provider that clients do not receive: the start of its session, and the echoes of the history. For
 * the client, the session goes on.
 */
export class HiddenFrames {
  readonly #replayedItemIds: ReadonlySet<string>
  #hasStarted = false

  constructor(replayedItemIds: readonly string[]) {
    this.#replayedItemIds = new Set(replayedItemIds)
  }

  hides(frame: Buffer): boolean {
    const type = typeAtStart(frame) ?? textField(fieldsOf(frame), 'type')
    if (type === 'session.created' && !this.#hasStarted) {
      this.#hasStarted = true
      return true
    }
    if (type === null || !echoTypes.has(type)) return false
    const itemId = textField(objectField(fieldsOf(frame), 'item'), 'id')
    return itemId !== null && this.#replayedItemIds.has(itemId)
  }

  /**
   * Returns whether the frame is an error about an event of the service. A provider that detects the end of speech itself
   * refuses the commit and the request that follow the user's speech.
   */
  isOwnError(frame: Buffer): boolean {
    return isServiceEventId(textField(errorIn(frame), 'event_id'))
  }
}

/** Returns the error in an error event. */
function errorIn(frame: Buffer): Fields | null {
  const type = typeAtStart(frame)
  if (type !== null && type !== 'error') return null
  const fields = fieldsOf(frame)
  return textField(fields, 'type') === 'error' ? objectField(fields, 'error') : null
}

/** Returns whether the provider reports that its session has reached its maximum duration. */
export function isExpiry(frame: Buffer): boolean {
  return textField(errorIn(frame), 'code') === expiredCode
}

function fieldsOf(frame: Buffer): Fields | null {
  const fields = parseJson(frame.toString('utf8'))
  return isObject(fields) ? fields : null
}
