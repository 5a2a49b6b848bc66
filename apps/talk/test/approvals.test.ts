import { describe, expect, it } from 'vitest'
import { Approvals, type AskPerson, readDecision } from '#talk/approvals.js'
import { Page } from '#talk/page.js'
import { readSessionEvent } from '#talk/session-event.js'

interface Question {
  readonly text: string
  readonly answer: (line: string | null) => void
}

function makeApprovals({ isApprovingAll = false, isAttended = true } = {}) {
  const decisions: string[] = []
  const questions: Question[] = []
  let written = ''
  let isGivenUp = false
  const write = (text: string) => {
    written += text
  }
  const ask: AskPerson = (text, unneeded) =>
    new Promise((resolve) => {
      questions.push({ text, answer: resolve })
      unneeded.addEventListener('abort', () => resolve(null))
    })
  const approvals = new Approvals({
    page: new Page({ write, isColored: false }),
    isApprovingAll,
    ask: isAttended ? ask : null,
    decide: (callId, decision, reason) => decisions.push([decision, callId, reason ?? ''].join(' ').trim()),
    onInputClosed: () => {
      isGivenUp = true
    },
  })
  const hear = (type: string, data: object) => {
    const event = readSessionEvent(JSON.stringify({ type, data }))
    if (event === null) throw new Error(`Unknown event: ${type}.`)
    approvals.handle(event)
  }
  const wait = (callId: string, narrowing: object = {}) => {
    const tool = {
      callId,
      title: `Tool ${callId}`,
      arguments: '{}',
      approvalRequired: true,
      chatbotId: 'agent',
    }
    hear('response.function_invocation.start', tool)
    hear('approval.waiting', { callId, timeoutSeconds: 300, ...narrowing })
  }
  return { approvals, decisions, questions, hear, wait, written: () => written, isGivenUp: () => isGivenUp }
}

/** Runs all promise callbacks that are ready. */
const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('approvals', () => {
  it('asks no one if staff decide, also with --yes [APR-7]', async () => {
    for (const options of [{}, { isApprovingAll: true }, { isAttended: false }]) {
      const { wait, questions, decisions, written } = makeApprovals(options)
      wait('a', { approvedBy: 'staff' })
      await soon()
      expect({ questions, decisions }).toEqual({ questions: [], decisions: [] })
      expect(written()).toContain('waiting for approval by staff')
    }
  })

  it('asks about one call after the other, until the answer is yes or no', async () => {
    const { wait, questions, decisions } = makeApprovals()
    wait('a')
    wait('b')
    await soon()
    expect(questions.map(({ text }) => text)).toEqual(['  ? Run "Tool a"? (y/n) '])
    questions[0]?.answer('perhaps')
    await soon()
    questions[1]?.answer(' Yes ')
    await soon()
    expect(questions[2]?.text).toContain('Tool b')
    questions[2]?.answer('n')
    await soon()
    expect(decisions).toEqual(['approve a', 'reject b'])
  })

  it.each(['approval.approved', 'approval.expired'])('stops asking after %s', async (type) => {
    const { wait, hear, decisions, isGivenUp } = makeApprovals()
    wait('a')
    await soon()
    hear(type, { callId: 'a' })
    await soon()
    expect({ decisions, isGivenUp: isGivenUp() }).toEqual({ decisions: [], isGivenUp: false })
  })

  it('does not ask if the call was decided before its turn', async () => {
    const { wait, hear, questions } = makeApprovals()
    wait('a')
    wait('b')
    await soon()
    hear('approval.expired', { callId: 'b' })
    questions[0]?.answer('y')
    await soon()
    expect(questions).toHaveLength(1)
  })

  it('decides nothing if the user closes the input', async () => {
    const { wait, questions, decisions, isGivenUp } = makeApprovals()
    wait('a')
    await soon()
    questions[0]?.answer(null)
    await soon()
    expect({ decisions, isGivenUp: isGivenUp() }).toEqual({ decisions: [], isGivenUp: true })
  })

  it('approves automatically with --yes', () => {
    const { wait, decisions, written } = makeApprovals({ isApprovingAll: true, isAttended: false })
    wait('a')
    expect(decisions).toEqual(['approve a'])
    expect(written()).toContain('--yes')
  })

  it('rejects automatically without a terminal, and says so', () => {
    const { wait, decisions, written } = makeApprovals({ isAttended: false })
    wait('a')
    expect(decisions).toEqual(['reject a No user was available to approve the call.'])
    expect(written()).toContain('no terminal to ask for approval')
  })

  it.each([
    ['y', 'approve'],
    [' YES', 'approve'],
    ['n', 'reject'],
    ['No ', 'reject'],
    ['', null],
    ['yesterday', null],
  ])('parses %j as %s', (line, decision) => {
    expect(readDecision(line)).toBe(decision)
  })
})
