import type { Approval } from '../realtime/approvals.js'
import type { ClientTools } from '../realtime/client-tools.js'
import { startVoice } from '../realtime/connect.js'
import type { TicketSource } from '../realtime/ticket.js'
import type { ToolCall } from '../realtime/tool-calls.js'
import type { TranscriptItem } from '../realtime/transcript.js'
import type { Voice } from '../realtime/voice.js'
import type { VoiceState } from '../realtime/voice-state.js'
import { elementStyle } from './element-style.js'
import { type ElementWords, wordsOf } from './element-words.js'

/** Where pages are rendered on a server there are no elements; there the class is only imported. */
const Element = globalThis.HTMLElement ?? class {}

/**
 * `<parley-agent ticket-url="/session">`: a button, and a panel with live words, cards and typing. Attributes: `ticket-url`,
 * `service-url`, `worklet-url`, `conversation-id`, `lang`. Properties: `ticket`, `tools`. Events that bubble: `parley-message`,
 * `parley-call`, `parley-approval`, `parley-end`, each with its `detail`.
 */
export class ParleyAgent extends Element {
  ticket: TicketSource | null = null
  tools: ClientTools = {}
  #voice: Voice | null = null
  #view: View | null = null
  #shown: VoiceState | null = null

  connectedCallback(): void {
    this.#view ??= makeView(this)
    const { button, mute, form, input } = this.#view
    button.onclick = () => (this.#voice === null ? this.start() : void this.#voice.close())
    mute.onclick = () => this.#voice?.mute(this.#voice.getState().media.microphone === 'on')
    form.onsubmit = (event) => {
      event.preventDefault()
      const text = input.value.trim()
      if (text === '' || this.#voice === null) return
      input.value = ''
      // What cannot be sent just now stays where it was typed.
      this.#voice.sendText(text).catch(() => {
        input.value = text
      })
    }
    this.#label()
  }

  disconnectedCallback(): void {
    void this.#voice?.close()
  }

  /** The conversation that is going on, for a program; null where there is none. */
  get voice(): Voice | null {
    return this.#voice
  }

  /** Begins, as the button does. Call it in a click. */
  start(): void {
    if (this.#voice !== null) return
    const attribute = (name: string) => this.getAttribute(name) ?? undefined
    const [url, workletUrl, conversationId] = ['service-url', 'worklet-url', 'conversation-id'].map(attribute)
    const voice = startVoice({
      ticket: this.ticket ?? this.getAttribute('ticket-url') ?? '',
      tools: this.tools,
      ...(url !== undefined && { url }),
      ...(workletUrl !== undefined && { workletUrl }),
      ...(conversationId !== undefined && { conversationId }),
    })
    this.#voice = voice
    this.#shown = null
    this.#view?.list.replaceChildren()
    voice.subscribe((state) => this.#show(state))
    voice.on('levels', ({ input, output }) => {
      if (this.#view !== null) this.#view.meter.value = Math.max(input, output)
    })
    voice.on('message', (detail) => this.#emit('parley-message', detail))
    voice.on('call', (detail) => this.#emit('parley-call', detail))
    voice.on('approval', (detail) => this.#emit('parley-approval', detail))
    voice.on('end', (detail) => {
      this.#voice = null
      this.#emit('parley-end', detail)
    })
    this.#show(voice.getState())
  }

  #show(state: VoiceState): void {
    const view = this.#view
    if (view === null) return
    const words = this.#words
    view.panel.hidden = false
    view.phase.value = state.end?.message ?? words.phases[state.phase]
    view.mute.textContent = state.media.microphone === 'muted' ? words.unmute : words.mute
    view.mute.hidden = state.media.microphone === 'off' || state.end !== null
    view.form.hidden = state.end !== null
    for (const item of state.transcript)
      if (this.#shown?.transcript.includes(item) !== true) showLine(view, item, words)
    // A button that is replaced while somebody presses it is never pressed.
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
    this.#view.button.textContent = this.#voice === null ? words.talk : words.stop
    this.#view.input.placeholder = words.type
    this.#view.input.ariaLabel = words.type
    this.#view.submit.textContent = words.send
  }

  get #words(): ElementWords {
    return wordsOf(this.lang === '' ? document.documentElement.lang : this.lang)
  }

  #emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

type View = ReturnType<typeof makeView>

function makeView(host: HTMLElement) {
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(elementStyle)
  // Needs no nonce, whatever the page's policy is.
  root.adoptedStyleSheets = [sheet]
  const button = make('button', { type: 'button', part: 'button' })
  const panel = make('section', { hidden: true, className: 'panel', part: 'panel' })
  const phase = make('output', { ariaLive: 'polite', part: 'phase' })
  const meter = make('meter', { max: 1, part: 'meter', ariaHidden: 'true' })
  const mute = make('button', { type: 'button', className: 'plain', part: 'mute' })
  const head = make('div', { className: 'head' }, phase, meter, mute)
  const list = make('ol', { className: 'words', part: 'messages', ariaLive: 'polite', tabIndex: 0 })
  const cards = make('div', { part: 'cards', ariaLive: 'assertive' })
  const input = make('input', { name: 'text', autocomplete: 'off', part: 'input' })
  const submit = make('button', { type: 'submit', part: 'send' })
  const form = make('form', {}, input, submit)
  panel.append(head, list, cards, form)
  root.append(button, panel)
  return { button, panel, phase, meter, mute, list, cards, input, submit, form }
}

type Fields<Name extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[Name], 'part'>> & {
  readonly part?: string
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { part, ...fields }: Fields<Name>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), fields)
  if (part !== undefined) element.setAttribute('part', part)
  element.append(...children)
  return element
}

/** Changes the line of an item alone, so that nothing is read out twice. */
function showLine(
  { list }: View,
  { id, role, text, isInterrupted }: TranscriptItem,
  words: ElementWords,
): void {
  if (text === '') return
  const who = isInterrupted ? `${words[role]} (${words.interrupted})` : words[role]
  const line = make('li', { id, part: `message ${role}` }, make('b', {}, who), text)
  const shown = [...list.children].find((child) => child.id === id)
  if (shown === undefined) list.append(line)
  else shown.replaceChildren(...line.childNodes)
  list.scrollTop = list.scrollHeight
}

function callCard({ title, text, status, button }: ToolCall): HTMLElement {
  const card = make('div', { className: 'card', part: `call ${status}` }, make('p', {}, title), text ?? '…')
  // An address of a tool is a stranger's: nothing but the web is linked to.
  if (button?.link && /^https?:/i.test(button.link))
    card.append(
      make('a', { href: button.link, target: '_blank', rel: 'noopener' }, button.label ?? button.link),
    )
  return card
}

function approvalCard({ call, approve, reject }: Approval, words: ElementWords): HTMLElement {
  const title = words.mayRun(call?.title ?? '?')
  const allow = make('button', { type: 'button', part: 'allow', onclick: () => approve() }, words.allow)
  const refuse = make(
    'button',
    { type: 'button', className: 'plain', part: 'refuse', onclick: () => reject() },
    words.refuse,
  )
  const given = make('p', {}, make('code', {}, call?.argumentsText ?? ''))
  return make(
    'div',
    { className: 'card', part: 'approval', role: 'group', ariaLabel: title },
    make('p', {}, title),
    given,
    allow,
    ' ',
    refuse,
  )
}
