import type { ClientTools } from '../realtime/client-tools.js'
import { type ConnectOptions, startVoice } from '../realtime/connect.js'
import type { TicketSource } from '../realtime/ticket.js'
import type { Voice } from '../realtime/voice.js'
import type { VoiceState } from '../realtime/voice-state.js'
import {
  approvalCard,
  callCard,
  type ElementView,
  makeView,
  showLine,
  starterButtons,
} from './element-view.js'
import { type ElementWords, wordsOf } from './element-words.js'

/** `HTMLElement` does not exist during server-side rendering, where this module is only imported. */
const Element = globalThis.HTMLElement ?? class {}

/**
 * `<parley-agent ticket-url="/session">`: a button, and a panel with the live transcript, cards and a text input. Attributes: `ticket-url`,
 * `service-url`, `worklet-url`, `conversation-id`, `lang`, `theme`, `mode` (`floating`), `name`, `avatar`. Properties:
 * `ticket`, `tools`, `words`, `questions`. Slots: `button`, `header`, `empty`, `footer`. Events that bubble: `parley-message`, `parley-call`, `parley-approval`, `parley-end`, each with
 * its `detail`.
 */
export class ParleyAgent extends Element {
  /** Defaults of the attributes. */
  static defaults: Pick<ConnectOptions, 'url' | 'workletUrl'> = {}
  ticket: TicketSource | null = given(this, 'ticket', null)
  tools: ClientTools = given(this, 'tools', {})
  /** Overrides the built-in texts, for example to translate them or to rename the agent. */
  words: Partial<ElementWords> = given(this, 'words', {})
  /** Questions that the visitor can start with. */
  questions: readonly string[] = given(this, 'questions', [])
  #voice: Voice | null = null
  #view: ElementView | null = null
  #shown: VoiceState | null = null

  connectedCallback(): void {
    this.#view ??= makeView(this)
    const { button, mute, close, form, input, panel } = this.#view
    button.onclick = () => (this.#voice === null ? this.start() : void this.#voice.close())
    mute.onclick = () => this.#voice?.mute(this.#voice.getState().media.microphone === 'on')
    close.onclick = () => {
      panel.hidden = true
      void this.#voice?.close()
    }
    form.onsubmit = (event) => {
      event.preventDefault()
      const text = input.value.trim()
      if (text === '' || this.#voice === null) return
      input.value = ''
      // A message that cannot be sent now stays in the input field.
      this.#voice.sendText(text).catch(() => {
        input.value = text
      })
    }
    this.#label()
  }

  disconnectedCallback(): void {
    void this.#voice?.close()
  }

  /** The current conversation for programs. Null if there is none. */
  get voice(): Voice | null {
    return this.#voice
  }

  /** Starts a conversation, like the button. Must be called in a click handler. */
  start(): void {
    if (this.#voice !== null) return
    const attribute = (name: string) => this.getAttribute(name) ?? undefined
    const [url, workletUrl, conversationId] = ['service-url', 'worklet-url', 'conversation-id'].map(attribute)
    const voice = startVoice({
      ticket: this.ticket ?? this.getAttribute('ticket-url') ?? '',
      tools: this.tools,
      ...ParleyAgent.defaults,
      ...(url !== undefined && { url }),
      ...(workletUrl !== undefined && { workletUrl }),
      ...(conversationId !== undefined && { conversationId }),
    })
    this.#voice = voice
    this.#shown = null
    if (this.#view !== null) {
      this.#view.list.replaceChildren()
      this.#view.empty.hidden = false
      this.#view.panel.hidden = false
      this.#view.starters.replaceChildren(
        ...starterButtons(this.questions, (question) => void voice.sendText(question).catch(ignore)),
      )
    }
    voice.subscribe((state) => this.#show(state))
    voice.on('levels', ({ input, output }) => this.#view?.waveform.show(Math.max(input, output)))
    voice.on('message', (detail) => this.#emit('parley-message', detail))
    voice.on('call', (detail) => this.#emit('parley-call', detail))
    voice.on('approval', (detail) => this.#emit('parley-approval', detail))
    voice.on('end', (detail) => {
      this.#voice = null
      this.#view?.waveform.clear()
      this.#emit('parley-end', detail)
    })
    this.#show(voice.getState())
  }

  #show(state: VoiceState): void {
    const view = this.#view
    if (view === null) return
    const words = this.#words
    view.phase.value =
      state.end === null ? words.phases[state.phase] : (words.ends[state.end.reason] ?? state.end.message)
    view.notice.value = words.providerChanged
    view.notice.hidden = state.providerChange === null || state.end !== null
    view.mute.textContent = state.media.microphone === 'muted' ? words.unmute : words.mute
    view.mute.hidden = state.media.microphone === 'off' || state.end !== null
    view.form.hidden = state.end !== null
    for (const item of state.transcript)
      if (this.#shown?.transcript.includes(item) !== true) showLine(view, item, words)
    // Replacing a button while it is pressed would lose the click.
    if (this.#shown?.calls !== state.calls || this.#shown.approvals !== state.approvals)
      view.cards.replaceChildren(
        ...state.calls.filter(({ status }) => status !== 'waiting').map(callCard),
        ...state.approvals.map((approval) => approvalCard(approval, words)),
      )
    this.#shown = state
    this.#label()
  }

  #label(): void {
    if (this.#view === null) return
    const words = this.#words
    const { talk, idleLabel, stop, panel, list, input, submit, close, who, avatar, name } = this.#view
    talk.textContent = words.talk
    stop.textContent = words.stop
    idleLabel.hidden = this.#voice !== null
    stop.hidden = this.#voice === null
    const picture = this.getAttribute('avatar')
    name.textContent = this.getAttribute('name')
    avatar.hidden = picture === null
    if (picture !== null) avatar.src = picture
    who.hidden = picture === null && !this.hasAttribute('name')
    close.ariaLabel = words.close
    panel.ariaLabel = words.assistant
    list.ariaLabel = words.conversation
    input.placeholder = words.type
    input.ariaLabel = words.type
    submit.textContent = words.send
  }

  get #words(): ElementWords {
    const assistant = this.getAttribute('name')
    return {
      ...wordsOf(this.lang === '' ? document.documentElement.lang : this.lang),
      ...(assistant !== null && { assistant }),
      ...this.words,
    }
  }

  #emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** The event `parley-end` reports the failure. */
const ignore = () => undefined

/** A page may have set a property before this script was loaded. */
function given<Value>(element: object, name: string, otherwise: Value): Value {
  return Reflect.get(element, name) ?? otherwise
}
