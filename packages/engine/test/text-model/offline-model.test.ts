import { afterAll, describe, expect, test } from 'vitest'
import { makeOfflineModel, type OfflineStep } from '#engine/text-model/offline/offline-model.js'
import type { ModelMessage } from '#engine/text-model/text-model.js'
import { allTools, bookTable, createTask, makeTool, refundOrder, weather } from '../support/tools.js'

// A Sunday, at noon.
const model = makeOfflineModel({ now: () => new Date(2026, 10, 15, 12, 0) })
afterAll(() => model.close())

const systemMessage =
  'You are Ada, the voice assistant of Acme Garden. Our shop opens at nine and closes at six. We are closed on Sundays. Be brief.'

function say(text: string, tools = allTools): Promise<OfflineStep> {
  return model.step({
    messages: [
      { role: 'system', text: systemMessage },
      { role: 'user', text },
    ],
    tools,
  })
}

/** Keeps a conversation, as whoever uses the model does. */
class Dialogue {
  readonly #messages: ModelMessage[] = [{ role: 'system', text: systemMessage }]

  user(text: string): Promise<OfflineStep> {
    return this.#step({ role: 'user', text })
  }

  result(name: string, output: string): Promise<OfflineStep> {
    return this.#step({ role: 'tool', callId: 'call', name, output })
  }

  async #step(message: ModelMessage): Promise<OfflineStep> {
    this.#messages.push(message)
    const step = await model.step({ messages: this.#messages, tools: allTools })
    this.#messages.push({ role: 'assistant', ...step })
    return step
  }
}

function callOf({ calls }: OfflineStep): unknown {
  const [call] = calls
  return call === undefined ? null : [call.name, JSON.parse(call.arguments)]
}

describe('[ENG-5] a request', () => {
  const local = (year: number, month: number, day: number, hour: number) =>
    new Date(year, month - 1, day, hour).toISOString()
  const rows: readonly (readonly [string, string, object])[] = [
    ['What time is it?', 'current_time', {}],
    ['What is the weather in London?', 'get_weather', { city: 'London' }],
    ['do I need an umbrella in Paris', 'get_weather', { city: 'Paris' }],
    ["What's the weather like in New York tomorrow?", 'get_weather', { city: 'New York' }],
    [
      'Create a task to call the customer tomorrow.',
      'create_task',
      { title: 'call the customer', dueAt: local(2026, 11, 16, 9) },
    ],
    [
      'create a high priority task called water the plants on Friday at three',
      'create_task',
      { title: 'water the plants', priority: 'high', dueAt: local(2026, 11, 20, 15) },
    ],
    ['Remind me to send the report.', 'create_task', { title: 'send the report' }],
    ['Cancel my order number forty two.', 'cancel_order', { order_id: '42' }],
    ['Refund 20 dollars for order 1234', 'refund_order', { order_number: '1234', amount: 20 }],
    ['How many open tickets do we have today?', 'count_tickets', {}],
    ['Send an email to John about the contract.', 'send_email', { to: 'John', subject: 'the contract' }],
    [
      'Reserve a table for four on Friday at seven thirty pm.',
      'book_table',
      { people: 4, date: '2026-11-20', time: '19:30' },
    ],
    ['find the contract in my files', 'search_files', { query: 'the contract' }],
  ]

  test.each(rows)('%s', async (words, name, args) => {
    expect(callOf(await say(words))).toEqual([name, args])
  })

  test('fills what its schema tells in words', async () => {
    const clock = makeTool('current_time', 'Tells the present date and time.', {
      timeZone: { type: 'string' },
    })
    expect(callOf(await say('What time is it in New York?', [clock]))).toEqual([
      'current_time',
      { timeZone: 'America/New_York' },
    ])
    const task = makeTool(
      'create_task',
      'Creates a task for a person to do.',
      {
        title: { type: 'string' },
        description: { type: 'string' },
        dueAt: { type: 'string', description: 'When it should be finished, as ISO 8601.' },
      },
      ['title'],
    )
    expect(callOf(await say('Make a task: call the plumber on Monday at ten.', [task]))).toEqual([
      'create_task',
      { title: 'call the plumber', dueAt: local(2026, 11, 16, 10) },
    ])
  })

  test.each([
    'tell me a joke',
    'what is the capital of France',
    'turn on the lights in the kitchen',
    'hello',
    'thank you',
  ])('that no tool is for: %s', async (words) => {
    const step = await say(words)
    expect(step.calls).toEqual([])
    expect(step.text).not.toBe('')
  })
})

describe('[ENG-5] what is missing', () => {
  test('is asked for, one thing after the other', async () => {
    const dialogue = new Dialogue()
    expect((await dialogue.user('Book a table, please.')).text).toBe(
      'To book a table I still need the number of people. What is it?',
    )
    expect((await dialogue.user('For four.')).text).toBe('To book a table I still need the date. What is it?')
    expect((await dialogue.user('On Friday.')).text).toBe(
      'To book a table I still need the time. What is it?',
    )
    expect(callOf(await dialogue.user('At eight pm.'))).toEqual([
      'book_table',
      { people: 4, date: '2026-11-20', time: '20:00' },
    ])
  })

  test('is asked for with its choices', async () => {
    const tool = makeTool(
      'set_priority',
      'Sets the priority of the work',
      { level: { type: 'string', enum: ['low', 'high'] } },
      ['level'],
    )
    expect((await say('Set the priority of the work.', [tool])).text).toBe(
      'To set a priority I still need the level: low or high?',
    )
  })

  test('may be given in words of any kind', async () => {
    const dialogue = new Dialogue()
    await dialogue.user('Create a task.')
    expect(callOf(await dialogue.user('The title is water the plants.'))).toEqual([
      'create_task',
      { title: 'water the plants' },
    ])
  })

  test('need not be given', async () => {
    const dialogue = new Dialogue()
    await dialogue.user('Create a task.')
    expect(await dialogue.user('Never mind.')).toEqual({ text: 'All right, I will leave that.', calls: [] })
    expect(callOf(await dialogue.user('What time is it?'))).toEqual(['current_time', {}])
  })

  test('is left for a clear request for something else', async () => {
    const dialogue = new Dialogue()
    await dialogue.user('Refund order 77.')
    expect(callOf(await dialogue.user('How many tickets are open?'))).toEqual(['count_tickets', {}])
  })

  test('is remembered though the question was interrupted', async () => {
    const { text } = await say('Refund order 77.', [refundOrder])
    const step = await model.step({
      messages: [
        { role: 'user', text: 'Refund order 77.' },
        { role: 'assistant', text: text.slice(0, text.indexOf('.')), calls: [] },
        { role: 'user', text: 'Twelve dollars.' },
      ],
      tools: [refundOrder],
    })
    expect(callOf(step)).toEqual(['refund_order', { order_number: '77', amount: 12 }])
  })
})

describe('a result', () => {
  const rows: readonly (readonly [tool: string, output: string, words: string])[] = [
    ['get_weather', 'Sunny, 21 degrees', 'Sunny, 21 degrees.'],
    [
      'get_weather',
      '{"temperature":18,"condition":"cloudy"}',
      'The temperature is 18 and the condition is cloudy.',
    ],
    ['get_weather', '{"wind":{"speed":3},"isRaining":false}', 'The wind speed is 3 and raining: no.'],
    ['current_time', '"2026-11-15T14:05:00Z"', 'Sunday, November 15, 2026 at 2:05 PM UTC.'],
    ['count_tickets', '7', 'The answer is 7.'],
    ['count_tickets', '[]', 'Nothing was found.'],
    ['search_files', '[{"id":1,"name":"a.pdf"},{"id":2,"name":"b.pdf"}]', 'There are 2: a.pdf and b.pdf.'],
    ['search_files', '{"content":[{"type":"text","text":"Found it."}]}', 'Found it.'],
    [
      'create_task',
      '{"id":"8a","title":"Call","status":"open"}',
      'Done. The title is Call and the status is open.',
    ],
    ['cancel_order', '{"ok":true}', 'That is done.'],
    ['cancel_order', '{"error":"no such order"}', 'That did not work: No such order.'],
    ['cancel_order', '{"success":false,"message":"It was shipped."}', 'That did not work: It was shipped.'],
    ['cancel_order', 'The user rejected this call.', 'The user rejected this call.'],
    ['cancel_order', '', 'That is done.'],
    ['get_weather', 'null', 'Get weather gave no result.'],
  ]

  test.each(rows)('of %s in words: %s', async (name, output, words) => {
    const step = await model.step({
      messages: [
        { role: 'user', text: 'Do it.' },
        { role: 'assistant', text: '', calls: [{ callId: 'call', name, arguments: '{}' }] },
        { role: 'tool', callId: 'call', name, output },
      ],
      tools: allTools,
    })
    expect(step).toEqual({ text: words, calls: [] })
  })

  test('is not longer than one can listen to', async () => {
    const dialogue = new Dialogue()
    await dialogue.user('What is the weather in London?')
    expect((await dialogue.result('get_weather', 'Rain. '.repeat(1000))).text.length).toBeLessThan(700)
  })
})

describe('the conversation is remembered', () => {
  test('in the next request', async () => {
    const dialogue = new Dialogue()
    await dialogue.user('What is the weather in London?')
    await dialogue.result('get_weather', 'Sunny.')
    expect(callOf(await dialogue.user('And in Paris?'))).toEqual(['get_weather', { city: 'Paris' }])
  })

  test.each([
    ['My name is Anna and I like tea.', 'Anna'],
    ["hi, i am called anna, i'm new here", 'anna'],
    ['Hello, my name is Anna Maria Smith.', 'Anna Maria Smith'],
  ])('with the name alone: %s', async (words, name) => {
    expect((await new Dialogue().user(words)).text).toBe(`Nice to meet you, ${name}. What can I do for you?`)
  })

  test('and can be asked for', async () => {
    const dialogue = new Dialogue()
    await dialogue.user('My name is Anna.')
    await dialogue.user('Remember that the key is under the mat.')
    expect((await dialogue.user('What is my name?')).text).toBe('Your name is Anna.')
    expect((await dialogue.user('Say that again.')).text).toBe('Your name is Anna.')
    expect((await dialogue.user('What did I say first?')).text).toBe('You said: My name is Anna.')
  })
})

describe('the system message', () => {
  test('gives the greeting', async () => {
    const greet = async (text: string) =>
      (await model.step({ messages: [{ role: 'system', text }], tools: [] })).text
    expect(await greet(systemMessage)).toMatch(
      /^Hello, I am Ada, the voice assistant of Acme Garden\. .*How can I help you\?$/,
    )
    expect(await greet('Greet callers with "Welcome to Acme!"')).toMatch(/^Welcome to Acme! /)
    expect(await greet('You are a helpful assistant.')).toMatch(/^Hello, I am a helpful assistant\. /)
    expect(await greet('')).toMatch(/^Hello\. /)
  })

  test('answers what it knows', async () => {
    expect((await say('When do you open?')).text).toBe('Our shop opens at nine and closes at six.')
    expect((await say('Are you open on Sunday?')).text).toBe('We are closed on Sundays.')
  })
})

test('it says plainly what it is', async () => {
  for (const words of [
    'Who are you?',
    'Are you a robot?',
    'What can you do?',
    'Tell me about quantum mechanics.',
  ])
    expect((await say(words)).text).toContain('This is the small offline model that comes with the service.')
})

describe('a choice of tools', () => {
  const ask = (text: string, toolChoice: Parameters<typeof model.step>[0]['toolChoice']) =>
    model.step({
      messages: [{ role: 'user', text }],
      tools: [weather, createTask, bookTable],
      ...(toolChoice ? { toolChoice } : {}),
    })

  test('of none is kept to', async () => {
    expect((await ask('What is the weather in London?', 'none')).calls).toEqual([])
  })

  test('that must be made is made', async () => {
    expect(callOf(await ask('London, I think', { name: 'get_weather' }))).toEqual([
      'get_weather',
      { city: 'London' },
    ])
    expect(callOf(await ask('Something about plants in London', 'required'))).not.toBeNull()
  })
})
