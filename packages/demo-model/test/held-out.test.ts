import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Message, Step, Tool } from '#demo/conversation.js'
import { makeDemoModel } from '#demo/demo-model.js'
import { makeTool } from './support/tools.js'

interface Turn {
  readonly say: string
  /** The pattern of a right answer. */
  readonly right?: string
  /** A refusal is the right answer. */
  readonly refuse?: true
  /** An answer that matches is wrong, even if it also refuses. */
  readonly never?: string
  readonly call?: string
  /** Strings are patterns. */
  readonly args?: Readonly<Record<string, string | number>>
}

interface HeldOut {
  readonly tools: Readonly<Record<string, HeldOutTool>>
  readonly conversations: readonly Conversation[]
}

interface HeldOutTool {
  readonly description: string
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required: string[]
  readonly result: string
}

interface Conversation {
  readonly agent: string
  readonly instructions: string
  readonly tools?: readonly string[]
  readonly turns: readonly Turn[]
}

type Verdict = 'right' | 'refused' | 'wrong'

const path = new URL('held-out.json', import.meta.url)
const heldOut = JSON.parse(readFileSync(path, 'utf8')) as HeldOut
const model = makeDemoModel({ now: () => new Date(2026, 10, 19, 10, 0) })

const refusal =
  /\b(?:cannot|can't|could not|unable|not able|do(?:es)? not|don't|beyond|not sure|no answer|I still need)\b/i
const demoNote = /\bdemo model\b/gi

function judge({ right, refuse, never, call, args }: Turn, first: Step, text: string): Verdict {
  if (never !== undefined && new RegExp(never, 'i').test(text)) return 'wrong'
  const [called] = first.calls
  if (called !== undefined) {
    const given = JSON.parse(called.arguments) as Record<string, unknown>
    const fits = Object.entries(args ?? {}).every(([name, value]) =>
      typeof value === 'string' ? new RegExp(value, 'i').test(String(given[name])) : given[name] === value,
    )
    return called.name === call && fits ? 'right' : 'wrong'
  }
  if (call === undefined && right !== undefined && new RegExp(right, 'i').test(text)) return 'right'
  if (refusal.test(text)) return refuse === true ? 'right' : 'refused'
  return 'wrong'
}

function play({ instructions, tools: names = [], turns }: Conversation) {
  const tools: Tool[] = names.map((name) => {
    const { description, properties, required } = heldOut.tools[name] as HeldOutTool
    return makeTool(name, description, properties, required)
  })
  const messages: Message[] = [{ role: 'system', text: instructions }]
  return turns.map((turn) => {
    messages.push({ role: 'user', text: turn.say })
    const first = model.step({ messages, tools })
    messages.push({ role: 'assistant', ...first })
    let last = first
    if (first.calls.length > 0) {
      for (const { callId, name } of first.calls)
        messages.push({ role: 'tool', callId, name, output: heldOut.tools[name]?.result ?? 'Done.' })
      last = model.step({ messages, tools })
      messages.push({ role: 'assistant', ...last })
    }
    return { say: turn.say, verdict: judge(turn, first, last.text), text: last.text, calls: first.calls }
  })
}

test('no held-out utterance gets a confidently wrong answer [ENG-14]', () => {
  const answers = heldOut.conversations.flatMap((conversation) =>
    play(conversation).map((answer) => ({ agent: conversation.agent, ...answer })),
  )
  const count = (verdict: Verdict) => answers.filter((answer) => answer.verdict === verdict).length
  process.stdout.write(
    `\nHeld out: ${count('right')} right, ${count('refused')} refused, ${count('wrong')} wrong of ${answers.length}\n`,
  )
  expect(answers).toHaveLength(149)
  expect(answers.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
})

test('the demo model says at most once in a conversation that it is a demo, unless the user asks [ENG-14]', () => {
  for (const conversation of heldOut.conversations)
    for (const { text } of play(conversation)) expect(text.match(demoNote)?.length ?? 0).toBeLessThan(2)
})
