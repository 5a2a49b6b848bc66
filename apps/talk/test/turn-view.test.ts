import { describe, expect, it } from 'vitest'
import { Page } from '#talk/page.js'
import { readSessionEvent } from '#talk/session-event.js'
import { describeArguments, TurnView } from '#talk/turn-view.js'

const agent = { id: 'agent', name: 'Front desk' }

function makeView({ isColored = false } = {}) {
  let written = ''
  const page = new Page({
    write: (text) => {
      written += text
    },
    isColored,
  })
  const view = new TurnView({ page, agent })
  const show = (value: object, at = 0) => {
    const event = readSessionEvent(JSON.stringify(value))
    if (event === null) throw new Error(`Unknown event: ${JSON.stringify(value)}.`)
    view.show(event, at)
  }
  return { view, show, written: () => written }
}

const words = (delta: string) => ({ type: 'response.output_audio_transcript.delta', delta })
const responseDone = (response: object) => ({ type: 'response.done', response: { output: [], ...response } })
const start = { callId: 'a', title: 'Create a task', approvalRequired: false, chatbotId: 'agent' }
const done = { callId: 'a', title: 'Create a task', text: 'It is there.', chatbotId: 'agent' }

describe('the view of a turn', () => {
  it('shows both sides on one line each, and the latency', () => {
    const { view, show, written } = makeView()
    view.begin(1000)
    show({ type: 'conversation.item.input_audio_transcription.completed', transcript: ' What time is it? ' })
    show(words('It is '), 1400)
    show({ type: 'response.output_audio.delta', delta: 'AAAA' }, 1650)
    show(words('noon.'), 1700)
    show(responseDone({ status: 'completed' }))
    view.endTurn()
    expect(written()).toBe(
      'You › What time is it?\nFront desk › It is noon.\n  (first word after 0.40 s, first audio after 0.65 s)\n',
    )
  })

  it('measures from the decision if an approval came first', () => {
    const { view, show, written } = makeView()
    view.begin(1000)
    view.begin(9000)
    show(words('Done.'), 9500)
    view.begin(20_000)
    view.endTurn()
    expect(written()).toContain('(first word after 0.50 s)')
  })

  it('shows tools with their arguments, duration and result', () => {
    const { show, written } = makeView()
    const given = '{"title":"Water the plants","priority":2}'
    show({ type: 'response.function_invocation.start', data: { ...start, arguments: given } })
    const end = { ...done, status: 1, executionTimeSeconds: 1.204 }
    show({ type: 'response.function_invocation.done', data: end })
    const failure = { ...done, status: 2, executionTimeSeconds: 0, text: 'A person rejected it.' }
    show({ type: 'response.function_invocation.done', data: failure })
    expect(written().split('\n')).toEqual([
      '  ⚙ Create a task title: Water the plants, priority: 2',
      '  ✓ Create a task, 1.20 s: It is there.',
      '  ✗ Create a task failed: A person rejected it.',
      '',
    ])
  })

  it('shows sub-agents and their tools', () => {
    const { show, written } = makeView()
    show({ type: 'subagent.start', data: { id: 'other', name: 'Librarian' } })
    const data = { ...start, title: 'Search the files', chatbotId: 'other', arguments: '{}' }
    show({ type: 'response.function_invocation.start', data })
    show({ type: 'subagent.done', data: { chatbotId: 'other' } })
    expect(written()).toBe('  → asks Librarian\n  ⚙ Librarian: Search the files\n  ← Librarian answered\n')
  })

  it('starts a new line if other output comes between the words', () => {
    const { show, written } = makeView()
    show(words('One moment'))
    show({ type: 'approval.approved', data: { callId: 'a' } })
    show(words('please.'))
    expect(written()).toBe('Front desk › One moment\n  ✓ approved\nFront desk › please.')
  })

  it('shows errors as text', () => {
    const { show, written } = makeView()
    show({ type: 'error', error: { type: 'server_error', message: 'The model is overloaded.' } })
    show(responseDone({ status: 'failed', status_details: { error: { message: 'It broke.' } } }))
    show(responseDone({ status: 'incomplete', status_details: { reason: 'max_output_tokens' } }))
    expect(written()).toBe(
      '  ! The model is overloaded.\n  ! It broke.\n  ! The answer is incomplete: max_output_tokens.\n',
    )
  })

  it('shows the reason of a failed response once', () => {
    const { show, written } = makeView()
    const failed = responseDone({ status: 'failed' })
    show(failed)
    show({ type: 'error', error: { type: 'server_error', message: 'The model is overloaded.' } })
    show(failed)
    expect(written()).toBe('  ! The model failed without giving a reason.\n  ! The model is overloaded.\n')
  })

  it("does not show the reason of a session's end twice", () => {
    const { show, written } = makeView()
    show({
      type: 'error',
      error: { type: 'service_error', code: 'idle_timeout', message: 'Nothing was said.' },
    })
    expect(written()).toBe('')
  })

  it('uses colors only if requested', () => {
    const event = { type: 'approval.approved', data: { callId: 'a' } }
    const [plain, colored] = [makeView(), makeView({ isColored: true })]
    plain.show(event)
    colored.show(event)
    expect(plain.written()).not.toContain('\u001b')
    expect(colored.written()).toContain('\u001b')
  })

  it('removes terminal control characters from untrusted text', () => {
    const { show, written } = makeView()
    show(words('\u001b[2JHello\u0007 \u009b31mthere\r\n'))
    expect(written()).toBe('Front desk › [2JHello 31mthere\n')
  })
})

describe('arguments', () => {
  it.each([
    ['{"a":"b","c":[1]}', 'a: b, c: [1]'],
    ['not JSON', 'not JSON'],
    ['[1]', '[1]'],
    [JSON.stringify({ long: 'x'.repeat(500) }), `long: ${'x'.repeat(113)}…`],
  ])('formats %s as %s', (json, shown) => {
    expect(describeArguments(json)).toBe(shown)
  })
})
