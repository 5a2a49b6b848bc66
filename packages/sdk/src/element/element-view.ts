import type { Approval } from '../realtime/approvals.js'
import type { ToolCall } from '../realtime/tool-calls.js'
import type { TranscriptItem } from '../realtime/transcript.js'
import { elementStyle } from './element-style.js'
import type { ElementWords } from './element-words.js'
import { Waveform } from './waveform.js'

export type ElementView = ReturnType<typeof makeView>

export function makeView(host: HTMLElement) {
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(elementStyle)
  // Works without a nonce under any content security policy.
  root.adoptedStyleSheets = [sheet]
  const talk = make('span', {})
  const idleLabel = make('slot', { name: 'button' }, talk)
  const stop = make('span', { hidden: true })
  const button = make('button', { type: 'button', part: 'button' }, idleLabel, stop)
  const phase = make('output', { ariaLive: 'polite', part: 'phase' })
  const waveform = new Waveform()
  const mute = make('button', { type: 'button', className: 'plain', part: 'mute' })
  const close = make('button', { type: 'button', className: 'plain', part: 'close' }, '×')
  const head = make('div', { className: 'head' }, phase, waveform.element, mute, close)
  const notice = make('output', { ariaLive: 'polite', part: 'notice', hidden: true })
  const avatar = make('img', { alt: '', part: 'avatar', referrerPolicy: 'no-referrer' })
  const name = make('strong', { part: 'name' })
  const who = make('div', { className: 'who' }, avatar, name)
  const starters = make('div', { className: 'starters', part: 'starters' })
  const empty = make('div', {}, make('slot', { name: 'empty' }), starters)
  const list = make('ol', { part: 'messages', ariaLive: 'polite', tabIndex: 0 })
  const cards = make('div', { className: 'cards', part: 'cards', ariaLive: 'assertive' })
  const input = make('input', { name: 'text', autocomplete: 'off', part: 'input' })
  const submit = make('button', { type: 'submit', part: 'send' })
  const form = make('form', {}, input, submit)
  const [header, footer] = [make('slot', { name: 'header' }), make('slot', { name: 'footer' })]
  const panel = make(
    'section',
    { hidden: true, part: 'panel' },
    header,
    who,
    head,
    notice,
    empty,
    list,
    cards,
    form,
    footer,
  )
  root.append(button, panel)
  return {
    button,
    talk,
    idleLabel,
    stop,
    panel,
    phase,
    waveform,
    mute,
    close,
    notice,
    who,
    avatar,
    name,
    starters,
    empty,
    list,
    cards,
    input,
    submit,
    form,
  }
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

/** Changes only the line of the given item, so that screen readers read nothing twice. */
export function showLine(
  { list, empty }: ElementView,
  { id, role, text, isInterrupted }: TranscriptItem,
  words: ElementWords,
): void {
  if (text === '') return
  const who = isInterrupted ? `${words[role]} (${words.interrupted})` : words[role]
  const line = make('li', { id, part: `message ${role}` }, make('b', {}, who), text)
  const shown = [...list.children].find((child) => child.id === id)
  if (shown === undefined) list.append(line)
  else shown.replaceChildren(...line.childNodes)
  empty.hidden = true
  list.scrollTop = list.scrollHeight
}

const marks = { running: ' …', waiting: '', done: ' ✓', failed: ' ✗', unknown: '' } as const

/** The result is folded, because it is often data for the agent only. Arguments are left out. */
export function callCard(call: ToolCall): HTMLElement {
  const { status, text, button } = call
  const line = readableTitle(call) + marks[status]
  const shown = text === null ? make('p', {}, line) : make('details', {}, make('summary', {}, line), text)
  const card = make('div', { className: 'card', part: `call ${status}` }, shown)
  // A tool's URL is untrusted, so only http and https links are rendered.
  if (button?.link && /^https?:/i.test(button.link))
    card.append(
      ' ',
      make('a', { href: button.link, target: '_blank', rel: 'noopener' }, button.label ?? button.link),
    )
  return card
}

export function starterButtons(
  questions: readonly string[],
  onAsk: (question: string) => void,
): HTMLElement[] {
  return questions.map((question) =>
    make(
      'button',
      { type: 'button', className: 'plain', part: 'starter', onclick: () => onAsk(question) },
      question,
    ),
  )
}

export function approvalCard(
  { call, mayDecide, approve, reject }: Approval,
  words: ElementWords,
): HTMLElement {
  const name = call === null ? '?' : readableTitle(call)
  const title = mayDecide ? words.mayRun(name) : name
  const allow = make('button', { type: 'button', part: 'allow', onclick: () => approve() }, words.allow)
  const refuse = make(
    'button',
    { type: 'button', className: 'plain', part: 'refuse', onclick: () => reject() },
    words.refuse,
  )
  // Visitors who decide can check the arguments first.
  const given = mayDecide ? argumentLines(call?.argumentsText ?? '') : []
  const details = make('details', {}, make('summary', {}, words.details), ...given)
  return make(
    'div',
    { className: 'card', part: 'approval', role: 'group', ariaLabel: title },
    make('p', {}, title),
    ...(given.length > 0 ? [details] : []),
    ...(mayDecide ? [allow, ' ', refuse] : [words.awaitsStaff]),
  )
}

/** A tool without a title has its name as the title, such as `create_task`. */
function readableTitle({ name, title }: ToolCall): string {
  return title === name ? readable(name) : title
}

function readable(name: string): string {
  const text = name.replaceAll(/[_-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function argumentLines(json: string): HTMLElement[] {
  const lineOf = ([name, value]: [string, unknown]) =>
    make('div', {}, `${readable(name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  try {
    return Object.entries(JSON.parse(json) ?? {}).map(lineOf)
  } catch {
    return []
  }
}
