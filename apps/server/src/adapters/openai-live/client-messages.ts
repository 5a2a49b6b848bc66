import { type ConversationItems, messageText } from '../realtime-dialects/conversation-items.js'
import type { DialectOutput } from '../realtime-dialects/far-dialect.js'
import { type Fields, fieldsOf, textOf } from '../realtime-dialects/json-fields.js'
import { ignoredSetting } from '../realtime-dialects/request-settings.js'
import { errorEvent, unsupportedEvent } from '../realtime-dialects/server-event.js'
import { type DelegatedCalls, withId } from './delegated-calls.js'
import { developerMessage } from './session-start.js'

/** The voice takes up to 500 tokens at once. */
const maxSpokenCharacters = 1500

interface ClientMessagesParts {
  readonly output: DialectOutput
  readonly items: ConversationItems
  readonly calls: DelegatedCalls
}

/** Passes messages and requests of the client and the service to the two models. */
export class ClientMessages {
  readonly #output: DialectOutput
  readonly #items: ConversationItems
  readonly #calls: DelegatedCalls
  /** Whether the text model has a message that it was not asked to answer yet. */
  #hasTypedText = false

  constructor({ output, items, calls }: ClientMessagesParts) {
    this.#output = output
    this.#items = items
    this.#calls = calls
  }

  create(event: Fields, now: number): void {
    const item = fieldsOf(event.item)
    if (item.type === 'function_call_output') return this.#answer(event, item, now)
    const { text, isTextOnly } = messageText(item)
    const isKnown = item.type === 'message' && (item.role === 'user' || item.role === 'system')
    if (!isKnown || !isTextOnly || text === '')
      return this.#reject(
        event,
        'GPT-Live takes typed messages of users and instructions of the system only.',
      )
    if (item.role === 'system' && text.length > maxSpokenCharacters)
      return this.#reject(event, `GPT-Live takes instructions of up to ${maxSpokenCharacters} characters.`)
    if (this.#items.create(event) === null) return
    if (item.role === 'system') {
      const type = 'session.instructions.append'
      return this.#output.send({ type, ...withId(event.event_id), delegation_id: null, content: text })
    }
    this.#type(event, { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  }

  request(event: Fields, isAnswering: boolean): void {
    const { output_modalities: modalities, instructions: given } = fieldsOf(event.response)
    if (Array.isArray(modalities) && !modalities.includes('audio'))
      return this.#reject(event, 'GPT-Live answers only with speech.')
    const ignored = ignoredSetting(event, honouredSettings)
    if (ignored !== null)
      return this.#reject(event, `GPT-Live cannot change \`${ignored}\` for one response. Leave it out.`)
    const instructions = textOf(given)
    if (this.#calls.isWorking || this.#hasTypedText) {
      // The text model answers, so it receives the instructions.
      if (instructions !== '') this.#type(event, developerMessage(instructions))
      this.#hasTypedText = false
      return this.#calls.request(event.event_id)
    }
    if (isAnswering) {
      const code = 'conversation_already_has_active_response'
      return this.#output.emit(errorEvent(event, code, 'The model is answering already.'))
    }
    for (const content of spokenParts(instructions))
      this.#output.send({
        ...{ type: 'session.commentary.append', ...withId(event.event_id) },
        ...{ delegation_id: null, content },
      })
  }

  #answer(event: Fields, item: Fields, now: number): void {
    if (this.#items.create(event) === null) return
    const output = textOf(item.output)
    if (this.#calls.answer(textOf(item.call_id), output, event.event_id, now)) return
    // A call of an earlier session. The models know it from the history.
    this.#type(event, developerMessage(`A tool that was called earlier returned: ${output}`))
  }

  #type(event: Fields, item: object): void {
    this.#output.send({ type: 'response.item.create', ...withId(event.event_id), item })
    this.#hasTypedText = true
  }

  #reject(event: Fields, message: string): void {
    this.#output.emit(unsupportedEvent(event, message))
  }
}

const honouredSettings: ReadonlySet<string> = new Set(['instructions', 'output_modalities'])

/** The instructions of a first message. The voice repeats its input, so it gets only the message. */
const verbatim = /^Say exactly this[^\n]*\n/

/** Returns what the voice is asked to say, in parts that it takes. */
function spokenParts(instructions: string): readonly string[] {
  const text = instructions.replace(verbatim, '').trim() || 'Continue the conversation.'
  const part = `[\\s\\S]{1,${maxSpokenCharacters}}`
  return text.match(new RegExp(`${part}(?=\\s|$)|${part}`, 'g')) ?? []
}
