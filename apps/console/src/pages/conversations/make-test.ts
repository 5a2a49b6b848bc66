import type { Approval, Message } from '@parley/sdk'

/** A file allows 100, but a run ends at the first turn that differs. */
const maxTurns = 20
const maxOutputCharacters = 2000
const maxMeaningCharacters = 300
const maxNameCharacters = 80
const success = 1

interface Turn {
  readonly user: string
  readonly answers: string[]
  readonly calls: Message[]
}

/**
 * Returns a test of the conversation, which expects each tool call with its arguments and the meaning of each answer. Results of
 * tools become stubs, and decisions on calls are repeated.
 */
export function makeTest(
  title: string | null,
  messages: readonly Message[],
  approvals: readonly Approval[],
): { readonly name: string; readonly definition: string } {
  const turns = turnsOf(messages).slice(0, maxTurns)
  const name = cut(title ?? turns[0]?.user ?? 'Conversation', maxNameCharacters)
  const stubs = stubsOf(turns.flatMap(({ calls }) => calls))
  const lines = [
    ...(stubs.length > 0 ? ['tools:', ...stubs] : []),
    'tests:',
    `  - name: ${written(name)}`,
    '    turns:',
    ...turns.flatMap((turn) => turnLines(turn, approvals)),
  ]
  return { name, definition: `${lines.join('\n')}\n` }
}

function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const turn = turns.at(-1)
    if (message.role === 'user') {
      if (message.content.trim() !== '') turns.push({ user: message.content, answers: [], calls: [] })
    } else if (message.role === 'assistant') turn?.answers.push(message.content)
    else if (message.role === 'tool') turn?.calls.push(message)
  }
  return turns
}

function turnLines({ user, answers, calls }: Turn, approvals: readonly Approval[]): readonly string[] {
  const decided = calls.flatMap((call) => {
    const approval = approvals.find(({ messageId }) => messageId === call.id)
    return approval?.state === 'approved' || approval?.state === 'rejected' ? [{ call, ...approval }] : []
  })
  const [decision] = decided
  const free = calls.filter((call) => decided.every((each) => each.call.id !== call.id))
  const meaning = meaningOf(answers)
  const before = [
    ...free.map((call) => `calls: ${callText(call)}`),
    ...decided.map(({ call }) => `waitsFor: ${callText(call)}`),
  ]
  const after = meaning === null ? [] : [`means: { text: ${written(meaning)} }`]
  return [
    `      - user: ${written(user)}`,
    ...listed('expect', decision === undefined ? [...before, ...after] : before),
    ...(decision === undefined
      ? []
      : [
          `        decide: ${decision.state === 'approved' ? 'approve' : 'reject'}`,
          ...(decision.reason ? [`        reason: ${written(decision.reason)}`] : []),
          ...listed('then', after),
        ]),
  ]
}

const listed = (key: string, entries: readonly string[]) =>
  entries.length === 0 ? [] : [`        ${key}:`, ...entries.map((entry) => `          - ${entry}`)]

/** A tool may be called several times with different arguments. The first stub that matches answers. */
function stubsOf(calls: readonly Message[]): readonly string[] {
  const byTool = new Map<string, Set<string>>()
  for (const call of calls) {
    const result = call.status === success ? 'output' : 'error'
    const stub = `    - { arguments: ${argumentsOf(call)}, ${result}: ${resultOf(call)} }`
    const tool = keyOf(call)
    byTool.set(tool, (byTool.get(tool) ?? new Set()).add(stub))
  }
  return [...byTool].flatMap(([tool, stubs]) => [`  ${tool}:`, ...stubs])
}

/** An output that is JSON is easier to read without quotes. The text of an error stays a text. */
function resultOf({ status, content }: Message): string {
  const parsed = status === success ? parsedJson(content) : undefined
  const isStructure = typeof parsed === 'object' && parsed !== null
  return isStructure
    ? escaped(JSON.stringify(parsed))
    : written(cut(content.trim() === '' ? 'none' : content, maxOutputCharacters))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const callText = (call: Message) => `{ ${keyOf(call)}: ${argumentsOf(call)} }`

/** The name of the tool. Names that YAML reads as other values are quoted. */
function keyOf({ name }: Message): string {
  const key = name ?? ''
  const isPlain = /^[a-z][\w-]*$/i.test(key) && !/^(?:true|false|null)$/i.test(key)
  return isPlain ? key : written(key)
}

/** JSON is also YAML. */
function argumentsOf({ arguments: given }: Message): string {
  const parsed = parsedJson(given ?? '')
  const isRecord = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return isRecord ? escaped(JSON.stringify(parsed)) : '{}'
}

/** The beginning of the answer, up to the end of a sentence. */
function meaningOf(answers: readonly string[]): string | null {
  const text = answers.join(' ').replaceAll(/\s+/g, ' ').trim()
  if (text.length <= maxMeaningCharacters) return text === '' ? null : text
  const beginning = text.slice(0, maxMeaningCharacters)
  return /^.*[.!?](?=\s)/.exec(beginning)?.[0] ?? beginning
}

function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

const written = (text: string) => escaped(JSON.stringify(text))

/** `${env:` would be a variable. */
const escaped = (text: string) => text.replaceAll(`\${env:`, () => `$\${env:`)
