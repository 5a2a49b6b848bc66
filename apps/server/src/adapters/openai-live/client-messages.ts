import { type ConversationItems, messageText } from '../realtime-dialects/conversation-items.js'
import { type Fields, fieldsOf, textOf } from '../realtime-dialects/json-fields.js'
import { ignoredSetting } from '../realtime-dialects/request-settings.js'
import { errorEvent, unsupportedEvent } from '../realtime-dialects/server-event.js'
import type { DialectOutput } from '../realtime-dialects/translating-dialect.js'
import { type DelegatedCalls, withId } from './delegated-calls.js'
import { developerMessage } from './session-start.js'

/** The voice takes up to 500 tokens at once. */
const maxSpokenCharacters = 1500

interface ModelState {
  readonly isAnswering: boolean
  /** Whether the model is going to answer speech. */
  readonly mayWait: boolean
}

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

  /**
   * Requests an answer. Returns true if it comes without a request, because the user has spoken: `mayWait`. The client has no
   * other wish then.
   */
  request(event: Fields, { isAnswering, mayWait }: ModelState): boolean {
    const problem = requestProblem(event)
    if (problem !== null) {
      this.#reject(event, problem)
      return false
    }
    const instructions = textOf(fieldsOf(event.response).instructions).trim()
    const isForTextModel = this.#calls.isWorking || this.#hasTypedText
    // The text model answers, so it receives the instructions.
    if (isForTextModel && instructions !== '') this.#type(event, developerMessage(instructions))
    if (isForTextModel) this.#askTextModel(event.event_id)
    else if (isAnswering) {
      const code = 'conversation_already_has_active_response'
      this.#output.emit(errorEvent(event, code, 'The model is answering already.'))
    } else if (instructions !== '') this.#say(instructions, event.event_id)
    else if (mayWait) return true
    else this.ask(event.event_id)
    return false
  }

  /** Asks for an answer to the last message of the user, or for a continuation. */
  ask(eventId: unknown): void {
    if (isQuestion(this.#items.all.at(-1))) this.#askTextModel(eventId)
    else this.#say('Continue the conversation.', eventId)
  }

  #askTextModel(eventId: unknown): void {
    this.#hasTypedText = false
    this.#calls.request(eventId)
  }

  #say(text: string, eventId: unknown): void {
    for (const content of spokenParts(text))
      this.#output.send({
        type: 'session.commentary.append',
        ...withId(eventId),
        delegation_id: null,
        content,
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

/** Returns why GPT-Live cannot answer a request in this way, or null. */
function requestProblem(event: Fields): string | null {
  const { output_modalities: modalities } = fieldsOf(event.response)
  if (Array.isArray(modalities) && !modalities.includes('audio')) return 'GPT-Live answers only with speech.'
  const ignored = ignoredSetting(event, honouredSettings)
  return ignored === null ? null : `GPT-Live cannot change \`${ignored}\` for one response. Leave it out.`
}

/** Whether an item is a message of the user, which waits for an answer. */
const isQuestion = (item: Fields | undefined) => item?.type === 'message' && item.role === 'user'

/** The instructions of a first message. The voice repeats its input, so it gets only the message. */
const verbatim = /^Say exactly this[^\n]*\n/

/** Returns what the voice is asked to say, in parts that it takes. */
function spokenParts(instructions: string): readonly string[] {
  const text = instructions.replace(verbatim, '').trim()
  const part = `[\\s\\S]{1,${maxSpokenCharacters}}`
  return text.match(new RegExp(`${part}(?=\\s|$)|${part}`, 'g')) ?? []
}
